from django.urls import include, path

from protocols.api.analysis import FixedAnalysis
from protocols.api.exports import AnswersFile
from protocols.api.set_up import JudgementTaskSettings, MaterialImports, PiecesOfWork, Sounds
from protocols.comparison import api as comparison
from protocols.scale_against_scale import api as scale_against_scale

app_name = "protocols-api"
urlpatterns = [
    path("", include((comparison.ENDPOINTS, "comparison"))),
    path("", include((scale_against_scale.ENDPOINTS, "scale-comparison"))),
    path("campaigns/<slug:slug>/analysis/", FixedAnalysis.as_view(), name="analysis"),
    path("campaigns/<slug:slug>/task/", JudgementTaskSettings.as_view(), name="task"),
    path("campaigns/<slug:slug>/task/material/", MaterialImports.as_view(), name="material"),
    path("campaigns/<slug:slug>/task/pieces/", PiecesOfWork.as_view(), name="pieces"),
    path("campaigns/<slug:slug>/task/sounds/", Sounds.as_view(), name="sounds"),
    path("campaigns/<slug:slug>/task/answers/", AnswersFile.as_view(), name="answers"),
]
