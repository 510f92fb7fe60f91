from django.urls import path

from evaluation import metric_page, system_pages
from evaluation.kind import KIND
from reports.views import report_urls

app_name = "evaluation"
METRIC = "campaigns/<slug:slug>/releases/<int:version>/evaluation/metric/"
SYSTEMS = "campaigns/<slug:slug>/releases/<int:version>/systems"
urlpatterns = [
    path(METRIC, metric_page.metric, name="metric"),
    path(f"{METRIC}figures/<slug:key>.<slug:form>", metric_page.metric_figure, name="metric-figure"),
    path(f"{SYSTEMS}/", system_pages.systems, name="systems"),
    path(f"{SYSTEMS}.json", system_pages.systems_json, name="systems-json"),
    path(f"{SYSTEMS}/outputs/", system_pages.system, name="system"),
    *report_urls(KIND),
]
