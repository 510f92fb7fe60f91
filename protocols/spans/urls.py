from django.urls import path

from protocols.spans import views

urlpatterns = [
    path("campaigns/<slug:slug>/task/texts/", views.texts, name="texts"),
    path("campaigns/<slug:slug>/task/texts/<int:material_id>/", views.text, name="text"),
]
