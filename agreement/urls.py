from django.urls import path

from agreement import views

app_name = "agreement"
REPORT = "campaigns/<slug:slug>/releases/<int:version>/agreement"
urlpatterns = [
    path("campaigns/<slug:slug>/plan/", views.plan, name="plan"),
    path("campaigns/<slug:slug>/plan/compute/", views.plan_compute, name="plan-compute"),
    path(f"{REPORT}/", views.report, name="report"),
    path(f"{REPORT}/reports/", views.report_request, name="reports"),
    path(f"{REPORT}.csv", views.report_download, {"form": "csv"}, "csv"),
    path(f"{REPORT}.json", views.report_download, {"form": "json"}, "json"),
    path(f"{REPORT}.tex", views.report_download, {"form": "latex"}, "latex"),
]
