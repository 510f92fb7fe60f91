from django.urls import path

from edit_operations import text_views
from edit_operations.kind import KIND
from reports.views import report_urls

app_name = "edit-operations"
REPORT = "campaigns/<slug:slug>/releases/<int:version>/operations"
urlpatterns = [
    path(f"{REPORT}/texts/", text_views.texts, name="texts"),
    path(f"{REPORT}/texts.csv", text_views.texts_csv, name="texts-csv"),
    path(f"{REPORT}/alignments.jsonl", text_views.alignments, name="alignments"),
    *report_urls(KIND),
]
