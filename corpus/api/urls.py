from django.urls import path

from corpus.api import erasure, releases, systems

app_name = "corpus-api"
CAMPAIGN = "campaigns/<slug:slug>"
RELEASE = f"{CAMPAIGN}/releases/<int:version>"
urlpatterns = [
    path(f"{CAMPAIGN}/systems/", systems.Systems.as_view(), name="systems"),
    path(f"{CAMPAIGN}/systems/imports/", systems.OutputImports.as_view(), name="output-imports"),
    path(f"{CAMPAIGN}/releases/", releases.Releases.as_view(), name="releases"),
    path(f"{RELEASE}/", releases.OneRelease.as_view(), name="release"),
    path(f"{RELEASE}/overview/", releases.Overview.as_view(), name="overview"),
    path(f"{RELEASE}/files/<path:name>", releases.OneFile.as_view(), name="file"),
    path(f"{CAMPAIGN}/people/<int:number>/erase/", erasure.Erasure.as_view(), name="erase"),
]
