from django.urls import path

from evaluation import metric_views, views

app_name = "evaluation"
REPORT = "campaigns/<slug:slug>/releases/<int:version>/evaluation"
urlpatterns = [
    path(f"{REPORT}/", views.report, name="report"),
    path(f"{REPORT}/reports/", views.request_report, name="reports"),
    path(f"{REPORT}/metric/", metric_views.metric, name="metric"),
    path(f"{REPORT}.csv", views.report_download, {"form": "csv"}, "csv"),
    path(f"{REPORT}.json", views.report_download, {"form": "json"}, "json"),
    path(f"{REPORT}.tex", views.report_download, {"form": "latex"}, "latex"),
]
