from django.urls import path

from corpus import views

app_name = "corpus"
urlpatterns = [
    path("files/<str:token>/", views.shared_file, name="shared-file"),
    path("campaigns/<slug:slug>/systems/", views.systems, name="systems"),
    path("campaigns/<slug:slug>/systems/imports/<int:import_id>/", views.output_import, name="output-import"),
    path("campaigns/<slug:slug>/people/<int:number>/erase/", views.erase, name="erase"),
    path("campaigns/<slug:slug>/releases/", views.releases, name="releases"),
    path("campaigns/<slug:slug>/releases/freeze/", views.release_freeze, name="freeze"),
    path("campaigns/<slug:slug>/releases/<int:version>/", views.release, name="release"),
    path("campaigns/<slug:slug>/releases/<int:version>/texts/", views.browse, name="browse"),
    path("campaigns/<slug:slug>/releases/<int:version>/overview/", views.overview, name="overview"),
    path("campaigns/<slug:slug>/releases/<int:version>/overview.csv", views.overview_csv, name="overview-csv"),
    path("campaigns/<slug:slug>/releases/<int:version>/overview.tex", views.overview_latex, name="overview-latex"),
    path("campaigns/<slug:slug>/releases/<int:version>/files/<path:name>", views.release_file, name="file"),
]
