from django.urls import path

from crowd.api import campaigns, links, settings, staff

app_name = "crowd-api"
urlpatterns = [
    path("campaigns/", campaigns.Campaigns.as_view(), name="campaigns"),
    path("campaigns/<slug:slug>/", campaigns.OneCampaign.as_view(), name="campaign"),
    path("campaigns/<slug:slug>/state/", campaigns.State.as_view(), name="state"),
    path("campaigns/<slug:slug>/settings/", settings.Settings.as_view(), name="settings"),
    path("campaigns/<slug:slug>/versions/", settings.Versions.as_view(), name="versions"),
    path("campaigns/<slug:slug>/versions/<int:number>/", settings.OneVersion.as_view(), name="version"),
    path("campaigns/<slug:slug>/links/", links.Links.as_view(), name="links"),
    path("campaigns/<slug:slug>/links/<int:link_id>/", links.OneLink.as_view(), name="link"),
    path("campaigns/<slug:slug>/links/<int:link_id>/codes/", links.LinkCodes.as_view(), name="link-codes"),
    path("campaigns/<slug:slug>/rounds/<slug:work_round>/pause/", links.RoundPause.as_view(), name="round-pause"),
    path("campaigns/<slug:slug>/staff/", staff.Staff.as_view(), name="staff"),
    path("campaigns/<slug:slug>/staff/<str:username>/", staff.OneMember.as_view(), name="member"),
    path("campaigns/<slug:slug>/invitations/", staff.Invitations.as_view(), name="invitations"),
    path("campaigns/<slug:slug>/jobs/", campaigns.Jobs.as_view(), name="jobs"),
    path("campaigns/<slug:slug>/jobs/<int:job_id>/", campaigns.OneJob.as_view(), name="job"),
    path("campaigns/<slug:slug>/audit/", campaigns.Audit.as_view(), name="audit"),
    path("campaigns/<slug:slug>/progress/", campaigns.Progress.as_view(), name="progress"),
]
