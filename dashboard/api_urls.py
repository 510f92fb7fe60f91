from django.urls import path

from dashboard.campaign_files import api as campaign_files
from dashboard.webhooks import api as webhooks

CAMPAIGN = "campaigns/<slug:slug>/"
urlpatterns = [
    path("campaign-files/", campaign_files.CampaignFiles.as_view(), name="api-campaign-files"),
    path(f"{CAMPAIGN}file/", campaign_files.CampaignFile.as_view(), name="api-campaign-file"),
    path("templates/", campaign_files.Templates.as_view(), name="api-templates"),
    path(f"{CAMPAIGN}webhooks/", webhooks.Webhooks.as_view(), name="api-webhooks"),
    path(f"{CAMPAIGN}webhooks/<int:webhook_id>/", webhooks.OneWebhook.as_view(), name="api-webhook"),
]
