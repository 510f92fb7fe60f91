from django.urls import path

from evaluation.api import reports

app_name = "evaluation-api"
REPORT = "campaigns/<slug:slug>/releases/<int:version>/evaluation"
urlpatterns = [
    path(f"{REPORT}/", reports.Evaluation.as_view(), name="evaluation"),
    path(f"{REPORT}/reports/", reports.Reports.as_view(), name="reports"),
]
