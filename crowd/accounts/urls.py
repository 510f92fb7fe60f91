from django.contrib.auth.views import LogoutView
from django.urls import path

from crowd.access import public
from crowd.accounts import views
from crowd.accounts.login import Login
from crowd.accounts.second_factor import second_factor
from crowd.accounts.views import Reset, ResetConfirm, ResetSent

urlpatterns = [
    path("login/", public(Login.as_view()), name="login"),
    path("logout/", public(LogoutView.as_view()), name="logout"),
    path("account/", views.account, name="account"),
    path("account/password/", views.password, name="account-password"),
    path("account/second-factor/", second_factor, name="account-second-factor"),
    path("account/email/", views.email, name="account-email"),
    path("account/sessions/end-others/", views.end_other_sessions, name="account-end-others"),
    path("account/sessions/<slug:name>/end/", views.end_session, name="account-end-session"),
    path("account/tokens/", views.tokens, name="account-tokens"),
    path("account/tokens/<int:token_id>/revoke/", views.revoke, name="account-token-revoke"),
    path("password/reset/", public(Reset.as_view()), name="password-reset"),
    path("password/reset/sent/", public(ResetSent.as_view()), name="password-reset-sent"),
    path("password/reset/<uidb64>/<token>/", public(ResetConfirm.as_view()), name="password-reset-confirm"),
]
