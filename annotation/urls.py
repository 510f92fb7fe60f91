from django.contrib.auth.views import LogoutView
from django.urls import include, path

from annotation import account, api_tokens
from annotation.dashboard import dashboard, home
from annotation.handbook import handbook
from annotation.health import live, ready
from annotation.login import Login
from annotation.metrics_page import metrics_page
from annotation.password_reset import Reset, ResetConfirm, ResetSent
from annotation.views import campaign_files, life, trying, webhooks
from crowd.access import public

handler404 = "annotation.failures.not_found"
handler500 = "annotation.failures.server_error"
urlpatterns = [
    path("", home, name="home"),
    path("health/", ready, name="health"),
    path("health/live/", live, name="health-live"),
    path("health/ready/", ready, name="health-ready"),
    path("metrics", metrics_page, name="metrics"),
    path("handbook/", handbook, name="handbook"),
    path("login/", public(Login.as_view()), name="login"),
    path("logout/", public(LogoutView.as_view()), name="logout"),
    path("account/", account.account, name="account"),
    path("account/password/", account.password, name="account-password"),
    path("account/email/", account.email, name="account-email"),
    path("account/sessions/end-others/", account.end_other_sessions, name="account-end-others"),
    path("account/sessions/<slug:name>/end/", account.end_session, name="account-end-session"),
    path("password/reset/", public(Reset.as_view()), name="password-reset"),
    path("password/reset/sent/", public(ResetSent.as_view()), name="password-reset-sent"),
    path("password/reset/<uidb64>/<token>/", public(ResetConfirm.as_view()), name="password-reset-confirm"),
    path("", include("crowd.urls")),
    path("campaigns/<slug:slug>/", dashboard, name="dashboard"),  # must follow campaigns/new/
    path("campaigns/<slug:slug>/state/", life.campaign_state, name="campaign-state"),
    path("campaigns/<slug:slug>/mails/", life.campaign_mails, name="campaign-mails"),
    path("campaigns/<slug:slug>/delete/", life.campaign_delete, name="campaign-delete"),
    path("campaigns/<slug:slug>/preview/<str:work_round>/", trying.preview, name="preview"),
    path("campaigns/<slug:slug>/test-people/", trying.test_people, name="test-people"),
    path("campaigns/<slug:slug>/simulate/", trying.simulate, name="simulate"),
    path("preview/<slug:slug>/end/", trying.preview_stop, name="preview-end"),
    path("", include("compressions.urls")),
    path("", include("ratings.urls")),
    path("", include("corpus.urls")),
    path("", include("agreement.urls")),
    path("", include("edit_operations.urls")),
    path("", include("scoring.urls")),
    path("", include("evaluation.urls")),
    # Below what participants ask for, whose addresses are looked for from the top.
    path("account/tokens/", api_tokens.tokens, name="account-tokens"),
    path("account/tokens/<int:token_id>/revoke/", api_tokens.revoke, name="account-token-revoke"),
    path("campaigns/new/from-file/", campaign_files.from_file, name="campaign-from-file"),
    path("campaigns/new/from-template/", campaign_files.templates, name="campaign-templates"),
    path("campaigns/new/from-template/<slug:key>/", campaign_files.from_template, name="campaign-from-template"),
    path("campaigns/new/templates/<slug:key>.yaml", campaign_files.template_file, name="campaign-template-file"),
    path("campaigns/<slug:slug>/file.yaml", campaign_files.file, name="campaign-file"),
    path("campaigns/<slug:slug>/copy/", campaign_files.copy, name="campaign-copy"),
    path("campaigns/<slug:slug>/webhooks/", webhooks.webhooks, name="webhooks"),
    path("campaigns/<slug:slug>/webhooks/<int:webhook_id>/", webhooks.webhook, name="webhook"),
    path("campaigns/<slug:slug>/webhooks/<int:webhook_id>/state/", webhooks.state, name="webhook-state"),
    path("campaigns/<slug:slug>/webhooks/<int:webhook_id>/test/", webhooks.test, name="webhook-test"),
    path("campaigns/<slug:slug>/webhooks/<int:webhook_id>/delete/", webhooks.delete, name="webhook-delete"),
    path(
        "campaigns/<slug:slug>/webhooks/<int:webhook_id>/deliveries/<int:delivery_id>/again/",
        webhooks.again,
        name="webhook-again",
    ),
    path("api/", include("annotation.api.urls")),
]
