from django.urls import path

from protocols.spans import views

urlpatterns = [
    path("campaigns/<slug:slug>/task/texts/", views.texts, name="span-texts"),
    path("campaigns/<slug:slug>/task/texts/<int:material_id>/", views.text, name="span-text"),
    path("campaigns/<slug:slug>/task/answers.<slug:form>", views.answers, name="span-answers"),
]
