from django.urls import path

from systems.views import model, run, run_outputs, run_request, systems, train

app_name = "systems"
PLACE = "campaigns/<slug:slug>/systems/programs"
urlpatterns = [
    path(f"{PLACE}/", systems, name="systems"),
    path(f"{PLACE}/train/", train, name="train"),
    path(f"{PLACE}/run/", run_request, name="run-request"),
    path(f"{PLACE}/models/<int:model_id>/", model, name="model"),
    path(f"{PLACE}/runs/<int:run_id>/", run, name="run"),
    path(f"{PLACE}/runs/<int:run_id>/outputs.jsonl", run_outputs, name="run-outputs"),
]
