from django.urls import path

from protocols.api.set_up import JudgementTaskSettings, MaterialImports
from protocols.comparison import api as comparison

app_name = "protocols-api"
urlpatterns = [
    *comparison.ENDPOINTS,
    path("campaigns/<slug:slug>/task/", JudgementTaskSettings.as_view(), name="task"),
    path("campaigns/<slug:slug>/task/material/", MaterialImports.as_view(), name="material"),
]
