from django.urls import path

from crowd.views import browsers, campaign_settings, join, links, remarks, staff, worker

app_name = "crowd"
urlpatterns = [
    path("join/<slug:token>/", join.join, name="join"),
    path("work/", worker.work, name="work"),
    path("work/guidelines/", worker.guidelines, name="guidelines"),
    path("work/next/", worker.claim, name="claim"),
    path("work/finish/", worker.finish, name="finish"),
    path("work/stop/", worker.stop, name="stop"),
    path("work/leave/", worker.leave, name="leave"),
    path("work/withdraw/", worker.withdraw, name="withdraw"),
    path("work/done/", worker.done, name="done"),
    path("work/session/", worker.session, name="session"),
    path("work/tasks/<int:assignment_id>/renew/", worker.renew, name="renew"),
    path("work/tasks/<int:assignment_id>/skip/", remarks.skip, name="skip"),
    path("work/tasks/<int:assignment_id>/problem/", remarks.problem, name="problem"),
    path("campaigns/", staff.campaigns, name="campaigns"),
    path("campaigns/new/", staff.campaign_new, name="campaign-new"),
    path("campaigns/<slug:slug>/settings/", campaign_settings.campaign_edit, name="campaign-edit"),
    path("campaigns/<slug:slug>/settings/history/", campaign_settings.history, name="settings-history"),
    path("campaigns/<slug:slug>/links/", links.links, name="links"),
    path("campaigns/<slug:slug>/links/<int:link_id>/", links.link, name="link"),
    path("campaigns/<slug:slug>/links/<int:link_id>/state/", links.link_state, name="link-state"),
    path("campaigns/<slug:slug>/links/<int:link_id>/codes/", links.link_codes, name="link-codes"),
    path("campaigns/<slug:slug>/links/<int:link_id>/wrong-ids/", links.link_wrong_ids, name="link-wrong-ids"),
    path("campaigns/<slug:slug>/links/<int:link_id>/keys/", links.link_keys, name="link-keys"),
    path("campaigns/<slug:slug>/rounds/<slug:work_round>/pause/", links.round_pause, name="round-pause"),
    path("campaigns/<slug:slug>/browsers/<int:request_id>/", browsers.decide, name="browser-request"),
    path("campaigns/<slug:slug>/jobs/<int:job_id>/", staff.job, name="job"),
]
