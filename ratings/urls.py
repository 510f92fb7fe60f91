from django.urls import path

from ratings.views import rater, staff

app_name = "ratings"
urlpatterns = [
    path("work/qualification/", rater.qualification, name="qualification"),
    path("work/rate/<int:assignment_id>/", rater.task, name="task"),
    path("campaigns/<slug:slug>/quality/", staff.quality, name="quality"),
    path("campaigns/<slug:slug>/quality/apply/", staff.quality_apply, name="quality-apply"),
]
