"""The bodies of requests and answers about people: profiles, decency, and the host's page."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from triomino.protocol.api import LEAST_SECRET, Name, SeatSummary

Face = Literal["tile0", "tile1", "tile2", "tile3", "tile4", "tile5"]
"""The colour of a tile behind the first letter of a name."""
Label = Annotated[str, Meta(max_length=40)]
Secret = Annotated[str, Meta(min_length=LEAST_SECRET, max_length=100)]
Handle = Annotated[str, Meta(min_length=1, max_length=64)]
Mark = Literal["mute", "block"]
Reason = Literal["name", "leaving", "stalling", "cheating", "other"]
BanKind = Literal["person", "device", "address"]
BanHours = Annotated[float, Meta(ge=0.1, le=24 * 365)]
GameKind = Literal["match", "pad"]


class ProfileChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The name and the face that a profile gets."""

    name: Name
    face: Face = "tile0"
    label: Label = ""
    """What the list of devices calls this one, if the profile is new."""


class MyDevice(Struct, frozen=True):
    """A device of a profile."""

    id: str
    """Names it in requests; it is no secret."""
    label: str
    joined: int
    is_this: bool


class MyKey(Struct, frozen=True):
    """A passkey of a profile."""

    id: str
    made: int


class Profile(Struct, frozen=True):
    """A profile as its own devices see it."""

    id: str
    name: str
    face: str
    made: int
    devices: list[MyDevice]
    keys: list[MyKey]
    phrase: int | None = None
    """When the recovery phrase was made, if there is an unused one."""


class Me(Struct, frozen=True):
    """The profile of the device that asks, if it has one."""

    profile: Profile | None


class DeviceLink(Struct, frozen=True):
    """A link by which another device joins a profile, once; it is shown once."""

    secret: str
    path: str
    expires: int


class JoinProfile(Struct, frozen=True, forbid_unknown_fields=True):
    """Join a profile by the secret of a link."""

    secret: Secret
    label: Label = ""
    leave: bool = False
    """Leave the profile that this device has; without it, that is refused."""


class RecoveryPhrase(Struct, frozen=True):
    """Words by which a device joins a profile, once; they are shown once."""

    phrase: str


class RecoverProfile(Struct, frozen=True, forbid_unknown_fields=True):
    """Join a profile by its recovery phrase."""

    phrase: Annotated[str, Meta(min_length=1, max_length=200)]
    label: Label = ""
    leave: bool = False


class PasskeyOptions(Struct, frozen=True):
    """What the browser is asked for, as WebAuthn has it, and the ticket to answer with."""

    options: dict[str, Any]
    ticket: str


class PasskeyAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """What the browser answered, as WebAuthn has it."""

    ticket: Secret
    credential: dict[str, Any]
    label: Label = ""
    leave: bool = False


class MyGame(Struct, frozen=True):
    """A game of a profile: a table of the server, or something that was uploaded."""

    id: str
    kind: Literal["table", "match", "pad"]
    at: int


class GameUpload(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished game or a score pad of a device, as its file."""

    at: Annotated[int, Meta(ge=0, le=2**53)]
    data: dict[str, Any]


class MarkedPerson(Struct, frozen=True):
    """Somebody whom a person has muted or blocked."""

    id: str
    name: str | None
    """``None`` if the profile was deleted."""
    face: str
    kind: Mark


class SeatPerson(Struct, frozen=True):
    """Who sits at a seat, for those who play at the same table."""

    seat: int
    face: str
    is_you: bool
    marks: list[Mark]


class NewReport(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that the host should know about a seat."""

    seat: Annotated[int, Meta(ge=0, le=5)]
    reason: Reason


class HostTable(Struct, frozen=True):
    """A table in the host's list."""

    id: str
    state: str
    updated: int
    strangers: bool
    seats: list[SeatSummary]
    people: list[str | None]
    """The profile of each seat, if it has one."""


class HostPerson(Struct, frozen=True):
    """A profile in the host's list."""

    id: str
    name: str
    face: str
    made: int
    devices: int
    banned_until: int | None


class HostReport(Struct, frozen=True):
    """A report in the host's list."""

    id: str
    at: int
    reason: str
    table: str
    seat: int
    about: str
    """The id of the profile, or empty."""
    name: str | None
    """What the profile is called now."""
    handled: bool


class HostBan(Struct, frozen=True):
    """Who is refused until a time."""

    kind: BanKind
    subject: str
    """The id of a profile, or what names the ban of a device or an address."""
    until: int
    name: str | None = None


class HostOverview(Struct, frozen=True):
    """The host's page."""

    tables: list[HostTable]
    people: list[HostPerson]
    reports: list[HostReport]
    bans: list[HostBan]


class NewBan(Struct, frozen=True, forbid_unknown_fields=True):
    """Refuse somebody for some hours: a profile, the devices at a seat, or their addresses."""

    kind: BanKind
    hours: BanHours
    person: Handle | None = None
    table: Handle | None = None
    seat: Annotated[int, Meta(ge=0, le=5)] | None = None
