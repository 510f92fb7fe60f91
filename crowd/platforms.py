"""The platforms that send people: how each names a person in the address, and where it takes them back."""

from dataclasses import dataclass


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
    key: str
    name: str
    worker_parameter: str
    study_parameter: str = ""
    session_parameter: str = ""
    id_required: bool = True
    completion_url: str = ""
    signed_ids: SignedIds | None = None

    def return_address(self, code: str) -> str:
        """Where a finished worker goes back to; empty if the platform only wants the code typed in."""
        return self.completion_url.format(code=code) if self.completion_url else ""


PLATFORMS = {
    platform.key: platform
    for platform in (
        Platform("direct", "Direct link (no platform)", "participant", id_required=False),
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
        ),
        Platform("connect", "CloudResearch Connect", "participantId", "projectId", "assignmentId"),
        Platform("sona", "SONA", "survey_code"),
    )
}


def platform_choices() -> list[tuple[str, str]]:
    """The platforms as choices of a field, which asks for them anew: a new platform needs no migration."""
    return [(platform.key, platform.name) for platform in PLATFORMS.values()]
