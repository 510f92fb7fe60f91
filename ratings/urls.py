from django.urls import path

from ratings.views import example_files, examples, people, qualification, rater, staff

app_name = "ratings"
urlpatterns = [
    path("work/qualification/", qualification.qualification, name="qualification"),
    path("work/practice/<int:number>/", qualification.practice, name="practice"),
    path("work/rate/<int:assignment_id>/", rater.task, name="task"),
    path("work/answers/", rater.answers, name="answers"),
    path("campaigns/<slug:slug>/quality/", staff.quality, name="quality"),
    path("campaigns/<slug:slug>/quality/apply/", staff.quality_apply, name="quality-apply"),
    path("campaigns/<slug:slug>/quality/preview/", staff.preview, name="quality-preview"),
    path("campaigns/<slug:slug>/quality/preview/compute/", staff.preview_compute, name="quality-preview-compute"),
    path("campaigns/<slug:slug>/quality/decisions.csv", staff.decisions_csv, name="decisions-csv"),
    path("campaigns/<slug:slug>/quality/<int:run_id>/withdraw/", staff.withdraw, name="quality-withdraw"),
    path("campaigns/<slug:slug>/raters/", people.raters, name="raters"),
    path("campaigns/<slug:slug>/raters.csv", people.raters_csv, name="raters-csv"),
    path("campaigns/<slug:slug>/experts/", people.experts, name="experts"),
    path("campaigns/<slug:slug>/people/<int:number>/", people.person, name="person"),
    path("campaigns/<slug:slug>/people/<int:number>/reset-test/", people.reset_test, name="reset-test"),
    path("campaigns/<slug:slug>/people/<int:number>/exclude/<slug:work_round>/", people.exclude, name="exclude"),
    path("campaigns/<slug:slug>/people/<int:number>/include/<slug:work_round>/", people.include, name="include"),
    path("campaigns/<slug:slug>/examples/", examples.examples, name="examples"),
    path("campaigns/<slug:slug>/examples/new/", examples.item_new, name="example-new"),
    path("campaigns/<slug:slug>/examples/<int:item_id>/", examples.item_edit, name="example-edit"),
    path("campaigns/<slug:slug>/examples/<int:item_id>/delete/", examples.item_delete, name="example-delete"),
    path("campaigns/<slug:slug>/examples/<int:item_id>/restore/", examples.item_restore, name="example-restore"),
    path("campaigns/<slug:slug>/examples/starter/", example_files.starter, name="example-starter"),
    path("campaigns/<slug:slug>/examples/import/", example_files.import_test, name="example-import"),
    path("campaigns/<slug:slug>/gold/import/", example_files.import_gold, name="gold-import"),
    path("campaigns/<slug:slug>/gold/new/", examples.gold_new, name="gold-new"),
    path("campaigns/<slug:slug>/gold/<int:gold_id>/retire/", examples.gold_end, name="gold-retire"),
    path("campaigns/<slug:slug>/gold/<int:gold_id>/restore/", examples.gold_reopen, name="gold-restore"),
]
