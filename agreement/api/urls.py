from django.urls import path

from agreement.api import plans, reports

app_name = "agreement-api"
CAMPAIGN = "campaigns/<slug:slug>"
REPORT = f"{CAMPAIGN}/releases/<int:version>/agreement"
urlpatterns = [
    path(f"{REPORT}/", reports.Agreement.as_view(), name="agreement"),
    path(f"{REPORT}/reports/", reports.Reports.as_view(), name="reports"),
    path(f"{CAMPAIGN}/plan/", plans.RatingPlan.as_view(), name="plan"),
]
