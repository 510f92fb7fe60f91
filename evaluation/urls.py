from django.urls import path

from evaluation import metric_page
from evaluation.kind import KIND
from reports.views import report_urls

app_name = "evaluation"
METRIC = "campaigns/<slug:slug>/releases/<int:version>/evaluation/metric/"
urlpatterns = [*report_urls(KIND), path(METRIC, metric_page.metric, name="metric")]
