from django.urls import path

from maintenance.health import live, ready
from maintenance.metrics import metrics_page

urlpatterns = [
    path("health/", ready, name="health"),
    path("health/live/", live, name="health-live"),
    path("health/ready/", ready, name="health-ready"),
    path("metrics", metrics_page, name="metrics"),
]
