from django.urls import path

from agreement.api import plans, reports

app_name = "agreement-api"
urlpatterns = [*reports.ENDPOINTS, path("campaigns/<slug:slug>/plan/", plans.RatingPlan.as_view(), name="plan")]
