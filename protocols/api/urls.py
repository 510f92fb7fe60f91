from django.urls import path

from protocols.api.exports import AnswersFile
from protocols.api.set_up import JudgementTaskSettings, MaterialImports

app_name = "protocols-api"
urlpatterns = [
    path("campaigns/<slug:slug>/task/", JudgementTaskSettings.as_view(), name="task"),
    path("campaigns/<slug:slug>/task/material/", MaterialImports.as_view(), name="material"),
    path("campaigns/<slug:slug>/task/answers/", AnswersFile.as_view(), name="answers"),
]
