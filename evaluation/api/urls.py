from evaluation.api import reports

app_name = "evaluation-api"
urlpatterns = reports.ENDPOINTS
