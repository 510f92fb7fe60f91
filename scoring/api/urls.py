from django.urls import path

from scoring.api import runs

app_name = "scoring-api"
SCORES = "campaigns/<slug:slug>/releases/<int:version>/scores"
urlpatterns = [
    path(f"{SCORES}/", runs.Scores.as_view(), name="scores"),
    path(f"{SCORES}/runs/", runs.Runs.as_view(), name="runs"),
    path(f"{SCORES}.parquet", runs.Parquet.as_view(), name="parquet"),
    path(f"{SCORES}.tsv", runs.Tsv.as_view(), name="tsv"),
]
