from django.urls import path

from compressions.views import alignments, editor, flags, imports, remarks, sources, writing

app_name = "compressions"
urlpatterns = [
    path("work/edit/<int:assignment_id>/", editor.task, name="task"),
    path("work/edit/<int:assignment_id>/drafts/<slug:page>/", editor.draft, name="draft"),
    path("campaigns/<slug:slug>/sources/", sources.sources, name="sources"),
    path("campaigns/<slug:slug>/sources-retired/", sources.retire_many, name="sources-retire"),
    path("campaigns/<slug:slug>/sources.csv", sources.sources_csv, name="sources-csv"),
    path("campaigns/<slug:slug>/sources/<str:source_id>/", sources.source, name="source"),
    path("campaigns/<slug:slug>/sources/<str:source_id>/retire/", sources.retire, name="source-retire"),
    path("campaigns/<slug:slug>/sources/<str:source_id>/reinstate/", sources.reinstate, name="source-reinstate"),
    path("campaigns/<slug:slug>/sources/<str:source_id>/correct/", sources.correct, name="source-correct"),
    path("campaigns/<slug:slug>/imports/", imports.imports, name="imports"),
    path("campaigns/<slug:slug>/imports/<int:import_id>/", imports.import_report, name="import"),
    path("campaigns/<slug:slug>/translations/", imports.translations, name="translations"),
    path(
        "campaigns/<slug:slug>/translations/<int:import_id>/",
        imports.translation_import,
        name="translation-import",
    ),
    path("campaigns/<slug:slug>/compressions/<int:compression_id>/", writing.compression, name="compression"),
    path("campaigns/<slug:slug>/compressions/<int:compression_id>/looked-at/", flags.seen, name="flags-seen"),
    path("campaigns/<slug:slug>/alignments/<int:target_id>/", alignments.alignment, name="alignment"),
    path("campaigns/<slug:slug>/remarks/", remarks.remarks, name="remarks"),
    path("campaigns/<slug:slug>/remarks/<int:remark_id>/answer/", remarks.answer, name="remark-answer"),
    path("campaigns/<slug:slug>/flagged/", flags.flagged, name="flagged"),
    path("campaigns/<slug:slug>/flagged/looked-at/", flags.seen_many, name="flags-seen-many"),
    path("campaigns/<slug:slug>/remarks.csv", remarks.remarks_csv, name="remarks-csv"),
    path("campaigns/<slug:slug>/flagged.csv", flags.flagged_csv, name="flagged-csv"),
    path("campaigns/<slug:slug>/paragraphs/", writing.paragraphs, name="paragraphs"),
]
