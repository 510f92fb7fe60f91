from django.urls import path

from scoring import views

app_name = "scoring"
SCORES = "campaigns/<slug:slug>/releases/<int:version>/scores"
urlpatterns = [
    path(f"{SCORES}/", views.scores, name="scores"),
    path(f"{SCORES}/runs/", views.run_request, name="runs"),
    path(f"{SCORES}/figures/<slug:key>.<slug:form>", views.figure, name="figure"),
    path(f"{SCORES}/<slug:tab>/", views.scores, name="tab"),
    path(f"{SCORES}.parquet", views.scores_download, {"form": "parquet"}, "parquet"),
    path(f"{SCORES}.tsv", views.scores_download, {"form": "tsv"}, "tsv"),
]
