from django.urls import path

from crowd.views import browsers, campaign_settings, join, remarks, staff, worker

app_name = "crowd"
urlpatterns = [
    path("join/<slug:token>/", join.join, name="join"),
    path("work/", worker.work, name="work"),
    path("work/guidelines/", worker.guidelines, name="guidelines"),
    path("work/next/", worker.claim, name="claim"),
    path("work/finish/", worker.finish, name="finish"),
    path("work/leave/", worker.leave, name="leave"),
    path("work/done/", worker.done, name="done"),
    path("work/session/", worker.session, name="session"),
    path("work/tasks/<int:assignment_id>/renew/", worker.renew, name="renew"),
    path("work/tasks/<int:assignment_id>/skip/", remarks.skip, name="skip"),
    path("work/tasks/<int:assignment_id>/problem/", remarks.problem, name="problem"),
    path("campaigns/", staff.campaigns, name="campaigns"),
    path("campaigns/new/", staff.campaign_new, name="campaign-new"),
    path("campaigns/<slug:slug>/settings/", campaign_settings.campaign_edit, name="campaign-edit"),
    path("campaigns/<slug:slug>/settings/history/", campaign_settings.history, name="settings-history"),
    path("campaigns/<slug:slug>/links/", staff.links, name="links"),
    path("campaigns/<slug:slug>/links/<int:link_id>/", staff.link_state, name="link-state"),
    path("campaigns/<slug:slug>/links/<int:link_id>/keys/", staff.link_keys, name="link-keys"),
    path("campaigns/<slug:slug>/browsers/<int:request_id>/", browsers.decide, name="browser-request"),
    path("campaigns/<slug:slug>/jobs/<int:job_id>/", staff.job, name="job"),
]
