from django.contrib.auth.views import LogoutView
from django.urls import include, path

from annotation.dashboard import dashboard, home
from annotation.health import health
from annotation.login import Login
from crowd.access import public

urlpatterns = [
    path("", home, name="home"),
    path("health/", health, name="health"),
    path("login/", public(Login.as_view()), name="login"),
    path("logout/", public(LogoutView.as_view()), name="logout"),
    path("", include("crowd.urls")),
    path("campaigns/<slug:slug>/", dashboard, name="dashboard"),  # must follow campaigns/new/
    path("", include("compressions.urls")),
    path("", include("ratings.urls")),
    path("", include("corpus.urls")),
    path("", include("agreement.urls")),
    path("", include("scoring.urls")),
]
