from django.urls import path

from agreement import views

app_name = "agreement"
urlpatterns = [
    path("campaigns/<slug:slug>/releases/<int:version>/agreement/", views.report, name="report"),
    path(
        "campaigns/<slug:slug>/releases/<int:version>/agreement/compute/",
        views.report_request,
        name="compute",
    ),
    path("campaigns/<slug:slug>/releases/<int:version>/agreement.csv", views.report_csv, name="csv"),
]
