from django.urls import path

from dashboard.campaign_files import views as campaign_files
from dashboard.documents import document
from dashboard.views import campaign_states, labelled_sessions, previews
from dashboard.views.dashboard import dashboard, home
from dashboard.webhooks import views as webhooks

CAMPAIGN = "campaigns/<slug:slug>/"
WEBHOOK = f"{CAMPAIGN}webhooks/<int:webhook_id>/"
urlpatterns = [
    path("", home, name="home"),
    path("handbook/", document, {"name": "handbook"}, name="handbook"),
    path("accessibility/", document, {"name": "accessibility"}, name="accessibility"),
    path("docs/", document, {"name": "index"}, name="documents"),
    path("docs/<path:name>/", document, name="document"),
    path(CAMPAIGN, dashboard, name="dashboard"),  # must follow campaigns/new/
    path(f"{CAMPAIGN}state/", campaign_states.campaign_state, name="campaign-state"),
    path(f"{CAMPAIGN}mails/", campaign_states.campaign_mails, name="campaign-mails"),
    path(f"{CAMPAIGN}delete/", campaign_states.campaign_delete, name="campaign-delete"),
    path(f"{CAMPAIGN}preview/<str:work_round>/", previews.preview, name="preview"),
    path(f"{CAMPAIGN}test-people/", previews.test_people, name="test-people"),
    path(f"{CAMPAIGN}labelled-sessions/", labelled_sessions.labelled_sessions, name="labelled-sessions"),
    path(f"{CAMPAIGN}simulate/", previews.simulate, name="simulate"),
    path("preview/<slug:slug>/end/", previews.preview_stop, name="preview-end"),
    path("campaigns/new/from-file/", campaign_files.from_file, name="campaign-from-file"),
    path("campaigns/new/from-template/", campaign_files.templates, name="campaign-templates"),
    path("campaigns/new/from-template/<slug:key>/", campaign_files.from_template, name="campaign-from-template"),
    path("campaigns/new/templates/<slug:key>.yaml", campaign_files.template_file, name="campaign-template-file"),
    path(f"{CAMPAIGN}file.yaml", campaign_files.file, name="campaign-file"),
    path(f"{CAMPAIGN}copy/", campaign_files.copy, name="campaign-copy"),
    path(f"{CAMPAIGN}webhooks/", webhooks.webhooks, name="webhooks"),
    path(WEBHOOK, webhooks.webhook, name="webhook"),
    path(f"{WEBHOOK}state/", webhooks.state, name="webhook-state"),
    path(f"{WEBHOOK}test/", webhooks.test, name="webhook-test"),
    path(f"{WEBHOOK}delete/", webhooks.delete, name="webhook-delete"),
    path(f"{WEBHOOK}deliveries/<int:delivery_id>/again/", webhooks.again, name="webhook-again"),
]
