from django.urls import path

from agreement import views
from agreement.kind import KIND
from reports.views import report_urls

app_name = "agreement"
urlpatterns = [
    path("campaigns/<slug:slug>/plan/", views.plan, name="plan"),
    path("campaigns/<slug:slug>/plan/compute/", views.plan_compute, name="plan-compute"),
    *report_urls(KIND),
]
