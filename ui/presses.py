"""From a press in the browser to a command. A browser sends ids and words, and the service checks each of them again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from pydantic import JsonValue, ValidationError

from assistant.domain.commands import PAYLOADS, Command, Kind
from assistant.domain.errors import Invalid
from assistant.domain.people import Actor
from assistant.wording.problems import of_fields

from .drafts import Draft, drafts_of

MAX_TEXT = 4000


@dataclass(frozen=True)
class Press:
    """`data` is untrusted. `key` is the command id the browser minted for this press."""

    data: Mapping[str, Any]

    @classmethod
    def of(cls, data: object) -> Press:
        return cls(cast("Mapping[str, Any]", data) if isinstance(data, Mapping) else {})

    def text(self, name: str) -> str | None:
        value = self.data.get(name)
        return value[:MAX_TEXT] if isinstance(value, str) and value.strip() else None

    def number(self, name: str) -> int | None:
        value = self.data.get(name)
        try:
            return int(value) if value is not None and value != "" else None
        except (TypeError, ValueError):
            return None

    def texts(self, name: str) -> list[str]:
        """One text or several."""
        value = self.data.get(name)
        return [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, str) and v]

    @property
    def do(self) -> str:
        return self.text("do") or ""

    @property
    def key(self) -> str:
        key = self.text("key")
        if key is None:
            raise Invalid("key_missing")
        return key

    @property
    def drafts(self) -> dict[str, Draft]:
        return drafts_of(self.data.get("drafts"))


def command(kind: Kind, target: str, payload: Mapping[str, Any], *, key: str, actor: Actor) -> Command:
    """Checked here for its shape, so that a person is told at once; what it may do is the service's to say."""
    given: dict[str, JsonValue] = {name: value for name, value in payload.items() if value is not None}
    try:
        PAYLOADS[kind].model_validate(given)
    except ValidationError as failure:
        problems = of_fields(failure, whole="body")
        raise Invalid("invalid", fields=tuple(problems), problems=problems) from None
    return Command(command_id=key, kind=kind, actor=actor, target=target, payload=given)


DETAILS = ("given_name", "family_name", "native_name", "title", "gender", "born_on", "email", "phone")


def traveller_command(press: Press, actor: Actor) -> Command | None:
    """What a button of the traveller's page asks for; None for one that only changes what is shown."""

    def made(kind: Kind, target: str | None, **payload: Any) -> Command:
        if target is None:
            raise Invalid("invalid")
        return command(kind, target, payload, key=press.key, actor=actor)

    conversation, trip = press.text("conversation"), press.text("trip")
    match press.do:
        case "say":
            return made(Kind.SEND_MESSAGE, conversation, text=press.text("text"), message_id=press.text("message_id"))
        case "edit":
            return made(Kind.EDIT_MESSAGE, conversation, message_id=press.text("message"), text=press.text("text"))
        case "regenerate":
            return made(Kind.REGENERATE, conversation, message_id=press.text("message"))
        case "stop":
            return made(Kind.STOP, conversation)
        case "rename":
            return made(Kind.RENAME, conversation, title=press.text("title"))
        case "archive":
            return made(Kind.ARCHIVE, conversation, archived=press.text("value") is not None)
        case "resubmit" | "change" | "ask":
            return made(Kind.CHOOSE, trip, answer=press.do, message=press.text("message"))
        case "agree" | "decline":
            return made(Kind.AGREE, trip, answer=press.do, digest=press.text("digest"))
        case "withdraw" | "cancel":
            keeps = True if press.text("order") and press.text("value") else None
            return made(Kind.CANCEL_TRIP, trip, order_id=press.text("order"), keep_choice=keeps)
        case "another":
            return made(Kind.REVISE_TRIP, trip)
        case "name":
            return made(Kind.NAME_PASSENGERS, trip, passengers=press.texts("passenger"))
        case "save_person":
            person = press.text("person")
            return made(Kind.SAVE_PERSON, person or press.key, person_id=person, details=_details(press))
        case "forget":
            return made(Kind.FORGET_WISH, press.text("wish"))
        case _:
            return None


def _details(press: Press) -> dict[str, str]:
    """What is said of a person; what is left empty is not said."""
    return {name: value for name in DETAILS if (value := press.text(name)) is not None}


def choose_command(press: Press, actor: Actor, draft: Draft, seats: Mapping[str, Mapping[str, str]]) -> Command:
    """The picked option with everybody's seats as they were on the page."""
    payload = {
        "answer": "choose",
        "offer": draft.offer,
        "offers_hash": draft.offers_hash,
        "seats": {p: dict(of) for p, of in seats.items()} or None,
        "if_gone": draft.if_gone.value,
    }
    return command(Kind.CHOOSE, press.text("trip") or "", payload, key=press.key, actor=actor)
