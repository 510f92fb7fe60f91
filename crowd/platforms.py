"""The platforms that send people: how each names a person in the address, and where it takes them back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from django.utils.translation import gettext_lazy as _

from common.words import Words


@dataclass(frozen=True)
class SignedIds:
    """How a platform signs the ids: as a JSON Web Token in a parameter of the address, by keys that it publishes.

    The ids are in the object `claim` of the token, under the names that they have as parameters.
    """

    parameter: str
    claim: str
    issuer: str
    keys_address: str


@dataclass(frozen=True)
class Platform:
    """A platform that sends people.

    `placeholders` stand in the address that staff paste there, and the platform replaces them; `id_pattern` is what its
    ids look like. Some platforms give each study an address that credits the person who opens it: it must be on one of
    `return_hosts` (a leading dot stands for any name in front), and `id_mark` in it stands for the person's id.
    """

    key: str
    name: Words
    worker_parameter: str
    study_parameter: str = ""
    session_parameter: str = ""
    id_required: bool = True
    completion_url: str = ""
    signed_ids: SignedIds | None = None
    placeholders: Mapping[str, str] = field(default_factory=dict)
    is_id_hexadecimal: bool = False
    """Whether upper and lower case of its ids are the same."""
    id_pattern: str = r"[^{}\[\]%<>$,;\"\x00-\x1f\x7f\x85\u2028\u2029]+"
    return_hosts: tuple[str, ...] = ()
    id_mark: str = ""
    steps: tuple[Words, ...] = ()
    pays: bool = False
    """Whether it pays people money for staff."""
    credits: bool = False
    """Whether people come to it for credits, which staff set there."""
    is_handed_out: bool = True
    """Whether staff make links of it and hand them out."""

    def return_address(self, code: str) -> str:
        """Where a finished worker goes back to; empty if the platform only wants the code typed in."""
        return self.completion_url.format(code=code) if self.completion_url and code else ""

    def address_to_paste(self, address: str) -> str:
        """Return a link's address with the parts that the platform replaces."""
        parts = "&".join(f"{name}={placeholder}" for name, placeholder in self.placeholders.items())
        return f"{address}?{parts}" if parts else address

    def is_possible_id(self, worker_id: str) -> bool:
        """Whether an id may be one of this platform's, and not what it should have been replaced by."""
        if not re.fullmatch(self.id_pattern, worker_id, re.IGNORECASE):
            return False
        return worker_id not in self.placeholders and worker_id.lower() not in NO_IDS

    def returns_to(self, address: str) -> bool:
        """Whether an address is one to which this platform's people may be sent."""
        try:
            parts = urlsplit(address)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            return False
        if parts.scheme != "https" or port not in {None, 443} or "@" in parts.netloc:
            return False
        if not re.fullmatch(r"[a-z0-9.-]+", host):  # browsers read other signs as the end of the host
            return False
        return any(host.endswith(each) if each.startswith(".") else host == each for each in self.return_hosts)


NO_IDS = {"null", "none", "undefined", "nan", "test", "id"}
"""What scripts and people write where an id should stand."""


ACCOUNT = "account"  # in place of a platform: of experts, whose ids only we give

PLATFORMS = {
    platform.key: platform
    for platform in (
        Platform(
            "direct",
            _("Direct link (no platform)"),
            "participant",
            id_required=False,
            steps=(
                _("Send the address to the people you invite. Anyone who has it can take part."),
                _("To recognise people, add ?participant= and a name of your own for each of them to the address."),
                _("Each browser without such a name is a new participant."),
            ),
        ),
        Platform(
            "prolific",
            "Prolific",
            "PROLIFIC_PID",
            "STUDY_ID",
            "SESSION_ID",
            completion_url="https://app.prolific.com/submissions/complete?cc={code}",
            signed_ids=SignedIds(
                parameter="prolific_token",
                claim="prolific",
                issuer="https://www.prolific.com",
                keys_address="https://api.prolific.com/.well-known/study/jwks.json",
            ),
            placeholders={
                "PROLIFIC_PID": "{{%PROLIFIC_PID%}}",
                "STUDY_ID": "{{%STUDY_ID%}}",
                "SESSION_ID": "{{%SESSION_ID%}}",
            },
            id_pattern=r"[0-9a-f]{24}",
            is_id_hexadecimal=True,
            pays=True,
            steps=(
                _("In your study on Prolific, paste the address as its URL, and choose URL parameters for the IDs."),
                _(
                    "Add each code below as a completion code of the study, and choose there what Prolific does with "
                    "it."
                ),
                _("Participants are sent back to Prolific with their code."),
            ),
        ),
        Platform(
            "connect",
            "CloudResearch Connect",
            "participantId",
            "projectId",
            "assignmentId",
            id_pattern=r"[0-9a-z_-]{8,64}",
            return_hosts=("connect.cloudresearch.com",),
            pays=True,
            steps=(
                _("In your project on Connect, paste the address as the link of the project."),
                _("Connect adds participantId, assignmentId and projectId by itself. Try it with its preview."),
                _("Choose a completion code, and enter the code below; or paste the redirect URL of the project here."),
            ),
        ),
        Platform(
            "sona",
            "SONA",
            "survey_code",
            placeholders={"survey_code": "%SURVEY_CODE%"},
            credits=True,
            id_pattern=r"[0-9]{1,12}",
            return_hosts=(".sona-systems.com",),
            id_mark="XXXX",
            steps=(
                _("In your study on SONA, paste the address as the study’s URL."),
                _(
                    "Paste the client-side completion URL that SONA shows here: participants who finish are sent "
                    "there and credited."
                ),
                _("Without it, participants get the code below, and you grant the credits yourself."),
            ),
        ),
        Platform(ACCOUNT, _("Staff account"), "", is_handed_out=False),
    )
}


# Of platforms that have no links of their own here: parameters that only they send, all of them.
UNSUPPORTED = {
    ("workerId",): "Mechanical Turk",
    ("assignmentId", "hitId"): "Mechanical Turk",
}
DIRECT = "direct"


def platform_sending(parameters: Mapping[str, str]) -> str:
    """Return the name of the platform whose ids are among the parameters of an address; empty if there are none."""
    ids = {(each.worker_parameter,): each.name for each in PLATFORMS.values() if each.worker_parameter}
    del ids[(PLATFORMS[DIRECT].worker_parameter,)]
    sent = (name for needed, name in (ids | UNSUPPORTED).items() if all(parameters.get(each) for each in needed))
    return str(next(sent, ""))


def is_supported(name: str) -> bool:
    """Whether staff can make links of the platform of this name."""
    return any(each.name == name and each.is_handed_out for each in PLATFORMS.values())


def platform_choices() -> list[tuple[str, Words]]:
    """The platforms as choices of a field, which asks for them anew: a new platform needs no migration."""
    return [(platform.key, platform.name) for platform in PLATFORMS.values() if platform.is_handed_out]


def account_id(account: int) -> str:
    """Return what an expert's account is called in place of a platform's id."""
    return f"account-{account}"
