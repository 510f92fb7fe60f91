from django.urls import path

from agreement import paper, views
from agreement.kind import KIND
from reports.views import report_urls

app_name = "agreement"
urlpatterns = [
    path("campaigns/<slug:slug>/plan/", views.plan, name="plan"),
    path("campaigns/<slug:slug>/plan/figures/<slug:key>.<slug:form>", views.figure, name="plan-figure"),
    path("campaigns/<slug:slug>/plan/compute/", views.plan_compute, name="plan-compute"),
    path("campaigns/<slug:slug>/releases/<int:version>/paper/", paper.paper, name="paper"),
    path("campaigns/<slug:slug>/releases/<int:version>/paper/<str:name>", paper.paper_file, name="paper-file"),
    *report_urls(KIND),
]
