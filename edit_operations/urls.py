from django.urls import path

from edit_operations import text_views, views

app_name = "edit-operations"
REPORT = "campaigns/<slug:slug>/releases/<int:version>/operations"
urlpatterns = [
    path(f"{REPORT}/", views.report, name="report"),
    path(f"{REPORT}/reports/", views.request_report, name="reports"),
    path(f"{REPORT}/texts/", text_views.texts, name="texts"),
    path(f"{REPORT}/texts.csv", text_views.texts_csv, name="texts-csv"),
    path(f"{REPORT}.csv", views.report_download, {"form": "csv"}, "csv"),
    path(f"{REPORT}.json", views.report_download, {"form": "json"}, "json"),
    path(f"{REPORT}.tex", views.report_download, {"form": "latex"}, "latex"),
    path(f"{REPORT}/alignments.jsonl", views.alignments, name="alignments"),
]
