from django.urls import path

from compressions.views import editor, staff

app_name = "compressions"
urlpatterns = [
    path("work/edit/<int:assignment_id>/", editor.task, name="task"),
    path("campaigns/<slug:slug>/sources/", staff.sources, name="sources"),
    path("campaigns/<slug:slug>/sources/<str:source_id>/", staff.source, name="source"),
    path("campaigns/<slug:slug>/imports/", staff.imports, name="imports"),
    path("campaigns/<slug:slug>/imports/<int:import_id>/", staff.import_report, name="import"),
]
