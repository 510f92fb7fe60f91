from django.urls import include, path

from annotation import api_document

handler404 = "annotation.failures.not_found"
handler500 = "annotation.failures.server_error"
urlpatterns = [
    # First what participants ask for: addresses are looked for from the top.
    path("", include("crowd.urls")),
    path("", include("compressions.urls")),
    path("", include("ratings.urls")),
    path("", include("protocols.urls")),
    path("", include("maintenance.urls")),
    path("", include("crowd.accounts.urls")),
    path("", include("dashboard.urls")),
    path("", include("corpus.urls")),
    path("", include("agreement.urls")),
    path("", include("edit_operations.urls")),
    path("", include("scoring.urls")),
    path("", include("systems.urls")),
    path("", include("evaluation.urls")),
    path("api/", api_document.page, name="api"),
    path("api/v1/openapi.json", api_document.openapi_json, name="api-openapi"),
    path("api/v1/", include("dashboard.api_urls")),
    path("api/v1/", include("crowd.api.urls")),
    path("api/v1/", include("compressions.api.urls")),
    path("api/v1/", include("corpus.api.urls")),
    path("api/v1/", include("agreement.api.urls")),
    path("api/v1/", include("scoring.api.urls")),
    path("api/v1/", include("edit_operations.api.urls")),
    path("api/v1/", include("evaluation.api.urls")),
    path("api/v1/", include("ratings.api.urls")),
    path("api/v1/", include("protocols.api.urls")),
]
