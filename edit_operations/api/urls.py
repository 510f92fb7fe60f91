from django.urls import path

from edit_operations.api import reports, texts

app_name = "edit_operations-api"
REPORT = "campaigns/<slug:slug>/releases/<int:version>/operations"
urlpatterns = [
    path(f"{REPORT}/", reports.Operations.as_view(), name="operations"),
    path(f"{REPORT}/reports/", reports.Reports.as_view(), name="reports"),
    path(f"{REPORT}/texts/", texts.Texts.as_view(), name="texts"),
]
