from django.urls import path

from protocols.links import views

urlpatterns = [
    path("campaigns/<slug:slug>/communities/files/<slug:form>", views.files, name="files"),
    path("campaigns/<slug:slug>/communities/documents/<int:place>/", views.document, name="document"),
    path("campaigns/<slug:slug>/communities/documents/<int:place>.<slug:form>", views.graph_file, name="graph"),
]
