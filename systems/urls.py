from django.urls import path

from systems import views

app_name = "systems"
PLACE = "campaigns/<slug:slug>/systems/programs"
urlpatterns = [
    path(f"{PLACE}/", views.systems, name="systems"),
    path(f"{PLACE}/train/", views.train, name="train"),
    path(f"{PLACE}/run/", views.run_request, name="run-request"),
    path(f"{PLACE}/models/<int:model_id>/", views.model, name="model"),
    path(f"{PLACE}/runs/<int:run_id>/", views.run, name="run"),
    path(f"{PLACE}/runs/<int:run_id>/outputs.jsonl", views.run_outputs, name="run-outputs"),
]
