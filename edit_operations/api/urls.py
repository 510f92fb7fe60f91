from django.urls import path

from edit_operations.api import reports, texts

app_name = "edit_operations-api"
TEXTS = "campaigns/<slug:slug>/releases/<int:version>/operations/texts/"
urlpatterns = [*reports.ENDPOINTS, path(TEXTS, texts.Texts.as_view(), name="texts")]
