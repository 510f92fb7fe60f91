from django.urls import path

from protocols.api.set_up import JudgementTaskSettings, MaterialImports
from protocols.scale_against_scale import api as scale_against_scale

app_name = "protocols-api"
urlpatterns = [
    *scale_against_scale.ENDPOINTS,
    path("campaigns/<slug:slug>/task/", JudgementTaskSettings.as_view(), name="task"),
    path("campaigns/<slug:slug>/task/material/", MaterialImports.as_view(), name="material"),
]
