from django.urls import path

from agreement import score_views, views

app_name = "agreement"
REPORT = "campaigns/<slug:slug>/releases/<int:version>/agreement"
SCORES = "campaigns/<slug:slug>/releases/<int:version>/scores"
urlpatterns = [
    path("campaigns/<slug:slug>/plan/", views.plan, name="plan"),
    path(f"{REPORT}/", views.report, name="report"),
    path(f"{REPORT}/compute/", views.report_request, name="compute"),
    path(f"{REPORT}.csv", views.report_download, {"form": "csv"}, "csv"),
    path(f"{REPORT}.json", views.report_download, {"form": "json"}, "json"),
    path(f"{REPORT}.tex", views.report_download, {"form": "latex"}, "latex"),
    path(f"{SCORES}/", score_views.scores, name="scores"),
    path(f"{SCORES}/ask/", score_views.scores_ask, name="scores-ask"),
    path(f"{SCORES}.parquet", score_views.scores_download, {"form": "parquet"}, "scores-parquet"),
    path(f"{SCORES}.tsv", score_views.scores_download, {"form": "tsv"}, "scores-tsv"),
]
