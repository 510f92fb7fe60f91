from django.urls import path

from ratings.api import examples, participants, people, preview, quality, rating_files, ratings

app_name = "ratings-api"
CAMPAIGN, PERSON = "campaigns/<slug:slug>/", "campaigns/<slug:slug>/people/<int:number>/"
urlpatterns = [
    path(f"{CAMPAIGN}ratings/", ratings.Ratings.as_view(), name="ratings"),
    path(f"{CAMPAIGN}participants/<slug:work_round>/", participants.Participants.as_view(), name="participants"),
    path(
        f"{CAMPAIGN}participants/<slug:work_round>/ids/", participants.ParticipantIds.as_view(), name="participant-ids"
    ),
    path(PERSON, people.Person.as_view(), name="person"),
    path(f"{PERSON}decision/<slug:work_round>/", people.Decision.as_view(), name="decision"),
    path(f"{CAMPAIGN}quality/", quality.Runs.as_view(), name="quality"),
    path(f"{CAMPAIGN}quality/preview/", preview.Preview.as_view(), name="quality-preview"),
    path(f"{CAMPAIGN}quality/rule/", quality.Rule.as_view(), name="quality-rule"),
    path(f"{CAMPAIGN}quality/apply/", quality.Apply.as_view(), name="quality-apply"),
    path(f"{CAMPAIGN}quality/<int:run_id>/", quality.OneRun.as_view(), name="quality-run"),
    path(f"{CAMPAIGN}quality/<int:run_id>/withdraw/", quality.Withdraw.as_view(), name="quality-withdraw"),
    path(f"{CAMPAIGN}pay/", people.Pay.as_view(), name="pay"),
    path(f"{CAMPAIGN}examples/", examples.Examples.as_view(), name="examples"),
    path(f"{CAMPAIGN}examples/<int:item_id>/", examples.OneExample.as_view(), name="example"),
    path(f"{CAMPAIGN}gold/", examples.Gold.as_view(), name="gold"),
    path(f"{CAMPAIGN}gold/<int:gold_id>/", examples.OneGold.as_view(), name="gold-question"),
    path(f"{CAMPAIGN}ratings/imports/", rating_files.RatingImports.as_view(), name="rating-imports"),
    path(f"{CAMPAIGN}ratings/models/", rating_files.ModelRaters.as_view(), name="model-raters"),
    path(f"{CAMPAIGN}ratings/models/<int:rater_id>/", rating_files.OneModelRater.as_view(), name="model-rater"),
    path(f"{CAMPAIGN}experts/", people.Experts.as_view(), name="experts"),
]
