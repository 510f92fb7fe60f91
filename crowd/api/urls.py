from django.urls import path

from crowd.api import campaigns

app_name = "crowd-api"
urlpatterns = [
    path("campaigns/", campaigns.Campaigns.as_view(), name="campaigns"),
    path("campaigns/<slug:slug>/", campaigns.OneCampaign.as_view(), name="campaign"),
    path("campaigns/<slug:slug>/state/", campaigns.State.as_view(), name="state"),
]
