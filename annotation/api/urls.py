from django.urls import include, path

from annotation.api import campaign_files, document, webhooks

urlpatterns = [
    path("", document.page, name="api"),
    path("v1/openapi.json", document.openapi_json, name="api-openapi"),
    path("v1/campaign-files/", campaign_files.CampaignFiles.as_view(), name="api-campaign-files"),
    path("v1/campaigns/<slug:slug>/file/", campaign_files.CampaignFile.as_view(), name="api-campaign-file"),
    path("v1/campaigns/<slug:slug>/clone/", campaign_files.Clone.as_view(), name="api-campaign-clone"),
    path("v1/templates/", campaign_files.Templates.as_view(), name="api-templates"),
    path("v1/templates/<slug:key>/", campaign_files.OneTemplate.as_view(), name="api-template"),
    path("v1/", include("crowd.api.urls")),
    path("v1/", include("compressions.api.urls")),
    path("v1/", include("corpus.api.urls")),
    path("v1/", include("agreement.api.urls")),
    path("v1/", include("scoring.api.urls")),
    path("v1/", include("edit_operations.api.urls")),
    path("v1/", include("evaluation.api.urls")),
    path("v1/campaigns/<slug:slug>/webhooks/", webhooks.Webhooks.as_view(), name="api-webhooks"),
    path("v1/campaigns/<slug:slug>/webhooks/<int:webhook_id>/", webhooks.OneWebhook.as_view(), name="api-webhook"),
    path(
        "v1/campaigns/<slug:slug>/webhooks/<int:webhook_id>/deliveries/",
        webhooks.Deliveries.as_view(),
        name="api-webhook-deliveries",
    ),
    path("v1/campaigns/<slug:slug>/webhooks/<int:webhook_id>/test/", webhooks.Test.as_view(), name="api-webhook-test"),
    path("v1/", include("ratings.api.urls")),
]
