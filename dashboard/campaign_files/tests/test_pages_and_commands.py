"""Files of campaigns on the pages and on the command line."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from crowd.models import Campaign, CampaignState, Role
from dashboard.campaign_files.reading import MAX_BYTES
from dashboard.campaign_files.writing import campaign_file
from tests.support.factories import judged_campaign, make_campaign, make_staff, staff_client

pytestmark = pytest.mark.django_db


def upload(content: bytes) -> dict[str, object]:
    return {"file": SimpleUploadedFile("campaign.yaml", content)}


def test_a_campaign_is_saved_and_made_again_with_another_name() -> None:
    campaign = make_campaign(keep_percent=60)
    client = staff_client(campaign.staff.get())
    settings = client.get(f"/campaigns/{campaign.slug}/settings/").content.decode()
    assert f"/campaigns/{campaign.slug}/file.yaml" in settings
    assert f"/campaigns/{campaign.slug}/copy/" in settings

    file = client.get(f"/campaigns/{campaign.slug}/file.yaml")
    answer = client.post("/campaigns/new/from-file/", upload(file.content) | {"name": "Again", "slug": "again"})

    assert file.headers["Content-Disposition"] == f'attachment; filename="{campaign.slug}.yaml"'
    assert answer.headers["Location"] == "/campaigns/again/"
    made = Campaign.objects.get(slug="again")
    assert (made.name, made.keep_percent, made.state) == ("Again", 60, CampaignState.DRAFT)
    assert made.memberships.get().role == Role.OWNER


def test_a_wrong_file_is_refused_on_the_page_line_by_line() -> None:
    client = staff_client(make_staff())
    content = b"precis_campaign: 1\nname: <b>A</b>\nslug: new\nsettings:\n  keep_percents: 60\n"

    answer = client.post("/campaigns/new/from-file/", upload(content))

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Line 5, <code>keep_percents</code>: this is not known here; did you mean keep_percent?" in page
    assert "Line 3, <code>slug</code>: This word has another meaning" in page
    assert not Campaign.objects.exists()


def test_a_short_name_typed_on_the_page_is_refused_beside_its_field() -> None:
    taken = make_campaign()
    client = staff_client(make_staff())

    answer = client.post("/campaigns/new/from-file/", upload(b"precis_campaign: 1\nname: A\n") | {"slug": taken.slug})

    assert answer.status_code == 422
    assert "Another campaign has this short name" in str(answer.context["form"].errors["slug"])
    assert "Nothing was stored" not in answer.content.decode()


def test_a_file_that_is_too_large_is_not_read() -> None:
    answer = staff_client(make_staff()).post("/campaigns/new/from-file/", upload(b" " * (MAX_BYTES + 1)))

    assert answer.status_code == 413


def test_a_template_becomes_a_campaign() -> None:
    client = staff_client(make_staff())
    assert "Headlines" in client.get("/campaigns/new/from-template/").content.decode()
    assert client.get("/campaigns/new/from-template/headline/").status_code == 200
    assert client.get("/campaigns/new/from-template/no-such/").status_code == 404

    answer = client.post("/campaigns/new/from-template/headline/", {"name": "News", "slug": ""})

    assert answer.headers["Location"] == "/campaigns/news/"
    assert Campaign.objects.get().keep_percent == 30
    assert client.get("/campaigns/new/templates/headline.yaml").content.startswith("# A Précis campaign".encode())


def test_a_copy_has_what_staff_have_set_and_nobody_and_no_texts() -> None:
    campaign = judged_campaign(sources=2, owner=make_staff(), keep_percent=60)
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.ARCHIVED)  # archived ones can be copied, too
    client = staff_client(campaign.staff.get())

    answer = client.post(f"/campaigns/{campaign.slug}/copy/", {"name": "Second wave"})

    assert answer.headers["Location"] == "/campaigns/second-wave/"
    made = Campaign.objects.get(slug="second-wave")
    assert made.keep_percent == 60
    assert not made.sources.exists()
    assert not made.workers.exists()


def test_the_commands_write_and_make_the_same_file(tmp_path: Path) -> None:
    campaign, owner = make_campaign(keep_percent=61), make_staff()
    path, out = tmp_path / "a.yaml", StringIO()

    call_command("export_campaign", campaign.slug, output=path, stdout=StringIO())
    call_command("export_campaign", campaign.slug, stdout=out)
    call_command("create_campaign", path, owner=owner.username, slug="made", name="Made", stdout=StringIO())

    assert path.read_bytes() == campaign_file(campaign) == out.getvalue().encode()
    assert (Campaign.objects.get(slug="made").keep_percent, Campaign.objects.get(slug="made").name) == (61, "Made")


def test_the_command_names_every_fault(tmp_path: Path) -> None:
    path, owner = tmp_path / "a.yaml", make_staff().username
    path.write_text("precis_campaign: 1\nnames: A\n")

    with pytest.raises(CommandError) as refusal:
        call_command("create_campaign", path, owner=owner)

    assert str(refusal.value).splitlines() == [
        "Nothing was stored.",
        "line 1: name: This is missing.",
        "line 2: names: this is not known here; did you mean name?",
    ]


@pytest.mark.parametrize(
    ("file", "owner", "words"), [("none.yaml", "", "cannot be read"), ("", "nobody", "no account")]
)
def test_the_command_says_what_is_not_there(tmp_path: Path, file: str, owner: str, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("create_campaign", tmp_path / file, owner=owner or make_staff().username)


def test_the_command_makes_a_campaign_of_a_template() -> None:
    call_command("create_campaign", template="side-by-side", owner=make_staff().username, stdout=StringIO())

    assert Campaign.objects.get().rating_task == "pair"


def test_the_schema_is_printed() -> None:
    out = StringIO()
    call_command("campaign_schema", stdout=out)
    assert '"raters_per_compression"' in out.getvalue()


def test_only_staff_get_the_file() -> None:
    campaign = make_campaign()

    assert staff_client(make_staff()).get(f"/campaigns/{campaign.slug}/file.yaml").status_code == 404
    assert Client().get(f"/campaigns/{campaign.slug}/file.yaml").status_code == 302
