from django.urls import include, path

from annotation.api import document

urlpatterns = [
    path("", document.page, name="api"),
    path("v1/openapi.json", document.openapi_json, name="api-openapi"),
    path("v1/", include("crowd.api.urls")),
    path("v1/", include("compressions.api.urls")),
    path("v1/", include("corpus.api.urls")),
    path("v1/", include("agreement.api.urls")),
    path("v1/", include("scoring.api.urls")),
]
