from django.urls import path

from dashboard.campaign_files import api as campaign_files
from dashboard.webhooks import api as webhooks

CAMPAIGN = "campaigns/<slug:slug>/"
WEBHOOK = f"{CAMPAIGN}webhooks/<int:webhook_id>/"
urlpatterns = [
    path("campaign-files/", campaign_files.CampaignFiles.as_view(), name="api-campaign-files"),
    path(f"{CAMPAIGN}file/", campaign_files.CampaignFile.as_view(), name="api-campaign-file"),
    path(f"{CAMPAIGN}clone/", campaign_files.Clone.as_view(), name="api-campaign-clone"),
    path("templates/", campaign_files.Templates.as_view(), name="api-templates"),
    path("templates/<slug:key>/", campaign_files.OneTemplate.as_view(), name="api-template"),
    path(f"{CAMPAIGN}webhooks/", webhooks.Webhooks.as_view(), name="api-webhooks"),
    path(WEBHOOK, webhooks.OneWebhook.as_view(), name="api-webhook"),
    path(f"{WEBHOOK}deliveries/", webhooks.Deliveries.as_view(), name="api-webhook-deliveries"),
    path(f"{WEBHOOK}test/", webhooks.Test.as_view(), name="api-webhook-test"),
]
