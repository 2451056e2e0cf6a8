"""Passkeys: what browsers are asked for, and whether what they answer is right."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from triomino.server.credentials import digest
from triomino.server.table import RefusedError
from triomino.store.person_secrets import Passkey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.store.people import Person


@dataclass(frozen=True, slots=True)
class Site:
    """The page that passkeys belong to."""

    id: str
    origin: str


def site_of(origin: str | None) -> Site:
    """The site of an origin, which was checked before; refused where there are no passkeys."""
    parts = urlsplit(origin or "")
    name = parts.hostname or ""
    local = name == "localhost" or name.endswith(".localhost")
    if not name or _is_address(name) or not (local or parts.scheme == "https"):
        raise RefusedError("no_passkeys", "passkeys need https and a name, or localhost")
    return Site(name, f"{parts.scheme}://{parts.netloc}")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def options_to_add(
    site: Site, person: Person, known: Sequence[Passkey], challenge: bytes
) -> dict[str, Any]:
    """What the browser is asked for to make a passkey for a person."""
    # Takes a while to load, and few people use it.
    import webauthn  # noqa: PLC0415
    from webauthn.helpers import structs  # noqa: PLC0415

    options = webauthn.generate_registration_options(
        rp_id=site.id,
        rp_name="triomino",
        user_id=person.id.encode(),
        user_name=person.name,
        challenge=challenge,
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(one.credential) for one in known
        ],
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
    )
    return _as_json(webauthn.options_to_json(options))


def options_to_enter(site: Site, challenge: bytes) -> dict[str, Any]:
    """What the browser is asked for to show any passkey of this site."""
    import webauthn  # noqa: PLC0415

    options = webauthn.generate_authentication_options(rp_id=site.id, challenge=challenge)
    return _as_json(webauthn.options_to_json(options))


def added(
    site: Site, person: str, challenge: bytes, credential: dict[str, Any], at: int
) -> Passkey:
    """The passkey that a browser has made; refused if anything about it is wrong."""
    import webauthn  # noqa: PLC0415
    from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415

    try:
        found = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.id,
            expected_origin=site.origin,
        )
    except (WebAuthnException, *_MALFORMED) as error:
        raise RefusedError("bad_passkey", "this passkey cannot be used") from error
    return Passkey(
        id=key_id(found.credential_id),
        person=person,
        credential=found.credential_id,
        public_key=found.credential_public_key,
        sign_count=found.sign_count,
        made=at,
    )


def count_of(site: Site, key: Passkey, challenge: bytes, credential: dict[str, Any]) -> int:
    """The counter of a passkey that a browser has shown; refused unless it is the right one."""
    import webauthn  # noqa: PLC0415
    from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415

    try:
        return webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.id,
            expected_origin=site.origin,
            credential_public_key=key.public_key,
            credential_current_sign_count=key.sign_count,
        ).new_sign_count
    except (WebAuthnException, *_MALFORMED) as error:
        raise RefusedError("bad_passkey", "this passkey does not fit") from error


def id_of(credential: dict[str, Any]) -> str:
    """The digest of the id of a passkey that a browser has shown."""
    from webauthn.helpers import base64url_to_bytes  # noqa: PLC0415

    raw = credential.get("rawId")
    try:
        return key_id(base64url_to_bytes(raw if isinstance(raw, str) else ""))
    except _MALFORMED as error:
        raise RefusedError("bad_passkey", "this is no passkey") from error


def key_id(credential: bytes) -> str:
    """Under which id a passkey is stored."""
    return digest(credential.hex())


_MALFORMED = (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError)
"""What reading a made-up credential can raise beside the library's own errors."""


def _as_json(text: str) -> dict[str, Any]:
    made: dict[str, Any] = msgspec.json.decode(text)
    return made
