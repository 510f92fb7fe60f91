from django.urls import path

from corpus import views

app_name = "corpus"
urlpatterns = [
    path("campaigns/<slug:slug>/systems/", views.systems, name="systems"),
    path("campaigns/<slug:slug>/releases/", views.releases, name="releases"),
    path("campaigns/<slug:slug>/releases/freeze/", views.release_freeze, name="freeze"),
    path("campaigns/<slug:slug>/releases/<int:version>/", views.release, name="release"),
    path("campaigns/<slug:slug>/releases/<int:version>/files/<path:name>", views.release_file, name="file"),
]
