from django.urls import path

from compressions.api import alignments, compressions, imports, remarks, texts

app_name = "compressions-api"
urlpatterns = [
    path("campaigns/<slug:slug>/texts/", texts.Texts.as_view(), name="texts"),
    path("campaigns/<slug:slug>/texts/<str:source_id>/", texts.OneText.as_view(), name="text"),
    path("campaigns/<slug:slug>/texts/<str:source_id>/retire/", texts.Retire.as_view(), name="text-retire"),
    path("campaigns/<slug:slug>/texts/<str:source_id>/correct/", texts.Correct.as_view(), name="text-correct"),
    path("campaigns/<slug:slug>/imports/", imports.TextImports.as_view(), name="imports"),
    path("campaigns/<slug:slug>/imports/<slug:kind>/<int:import_id>/", imports.OneImport.as_view(), name="import"),
    path(
        "campaigns/<slug:slug>/translations/imports/",
        imports.TranslationImports.as_view(),
        name="translation-imports",
    ),
    path("campaigns/<slug:slug>/compressions/", compressions.Compressions.as_view(), name="compressions"),
    path(
        "campaigns/<slug:slug>/compressions/<int:compression_id>/",
        compressions.OneCompression.as_view(),
        name="compression",
    ),
    path("campaigns/<slug:slug>/alignments/<int:target_id>/", alignments.OneAlignment.as_view(), name="alignment"),
    path("campaigns/<slug:slug>/remarks/", remarks.Remarks.as_view(), name="remarks"),
    path("campaigns/<slug:slug>/paragraphs/", texts.Paragraphs.as_view(), name="paragraphs"),
]
