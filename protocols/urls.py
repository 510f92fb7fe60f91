from django.urls import include, path

from protocols import staff_views, views
from protocols.kind import KINDS
from protocols.quiz import views as quiz_views
from reports.views import report_urls

app_name = "protocols"
urlpatterns = [
    path("work/task/<int:assignment_id>/", views.task, name="task"),
    path("work/task/<int:assignment_id>/draft/", views.draft, name="draft"),
    path("work/task/<int:assignment_id>/sound/", quiz_views.work_sound, name="work-sound"),
    path("work/task/practice/sound/", quiz_views.practice_sound, name="practice-sound"),
    path("work/task/practice/", views.practice, name="practice"),
    path("work/task/wait/", views.wait, name="wait"),
    path("work/task/answers/", views.answers, name="answers"),
    path("campaigns/<slug:slug>/task/", staff_views.set_up, name="set-up"),
    path("campaigns/<slug:slug>/task/settings/", staff_views.settings_save, name="settings"),
    path("campaigns/<slug:slug>/task/pieces/", staff_views.pieces_make, name="pieces"),
    path("campaigns/<slug:slug>/task/sounds/", staff_views.sounds, name="sounds"),
    path("campaigns/<slug:slug>/task/sounds/<int:sound_id>/", quiz_views.sound, name="sound"),
    path("campaigns/<slug:slug>/task/analysis/", staff_views.analysis_fix, name="analysis"),
    path("campaigns/<slug:slug>/planned-analysis/", staff_views.plan, name="plan"),
    path("campaigns/<slug:slug>/task/answers.<slug:form>", staff_views.answers_file, name="answers-file"),
    path("campaigns/<slug:slug>/task/imports/<int:import_id>/", staff_views.material_import, name="material-import"),
    *(path("", include(([*kind.pages, *report_urls(kind)], kind.key))) for kind in KINDS),
]
