from django.urls import path

from protocols.ranking import views

urlpatterns = [path("campaigns/<slug:slug>/task/ranks.csv", views.ranks, name="ranks")]
