"""The traveller's page. Callbacks ask the faces and return what a card function drew; the page itself remembers nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import gradio as gr

from assistant.domain.commands import Command, Kind, Receipt
from assistant.domain.errors import CommandRefused, Invalid, NotFound, Unavailable
from assistant.domain.trips import IfGone
from assistant.views.shapes import ConversationView, SeatMapView, TripView

from .cards import trips_panel
from .chat import composer, conversation_list, transcript
from .drafts import SORTS, STAGES, Draft, all_seats, option_shown, seats_now
from .faces import Asking, Faces, SignedIn
from .latin_names import latin_name
from .markup import Markup, tag
from .page import answered, failure, notice, pen_of, refusal, script, top_bar
from .presses import Press, choose_command, command, traveller_command
from .timeline_page import timeline_over

PATH = "/desk"
QUICK = 2.0  # seconds a press may wait for its answer before the page goes on and the poll brings it
Drawn = dict[Any, Any]


@dataclass(frozen=True)
class Parts:
    """The pieces of the page that are drawn anew, each by itself."""

    bar: gr.HTML
    panes: gr.HTML
    conversations: gr.HTML
    chat: gr.HTML
    composer: gr.HTML
    trips: gr.HTML
    notice: gr.HTML
    wire: gr.HTML

    @property
    def all(self) -> list[gr.HTML]:
        return list(vars(self).values())


def desk_page(faces: Faces) -> gr.Blocks:
    """The `Blocks` of /desk."""
    with gr.Blocks(title="Layover", analytics_enabled=False) as blocks:
        bar = gr.HTML(apply_default_css=False, elem_id="topbar")
        panes = gr.HTML(apply_default_css=False, elem_id="panes")
        with gr.Row(elem_id="desk", equal_height=False):
            conversations = gr.HTML(apply_default_css=False, elem_id="conversations")
            with gr.Column(elem_id="talk"):
                chat, box = gr.HTML(apply_default_css=False, elem_id="chat"), gr.HTML(apply_default_css=False, elem_id="compose")
            trips = gr.HTML(apply_default_css=False, elem_id="trips")
        said = gr.HTML(apply_default_css=False, elem_id="notice")
        timeline_over(faces, PATH, said)
        wire = gr.HTML(apply_default_css=False, elem_id="wire", js_on_load=script(PATH, pane="chat"))
        parts = Parts(bar, panes, conversations, chat, box, trips, said, wire)
        desk = Desk(faces, parts)
        for name, callback, mode in (
            ("boot", desk.boot, "multiple"),
            ("changed", desk.changed, "always_last"),
            ("act", desk.act, "multiple"),
            ("talk", desk.talk, "multiple"),
            ("spell", desk.spell, "always_last"),
        ):
            listen = getattr(wire, name)
            listen(
                callback,
                None,
                parts.all,
                trigger_mode=mode,
                show_progress="hidden",
                api_visibility="private",
                concurrency_limit=50,
            )
    return blocks


class Desk:
    """Callbacks of the traveller's page. Each one finds out who asks before anything else."""

    def __init__(self, faces: Faces, parts: Parts) -> None:
        self.faces = faces
        self.parts = parts

    async def boot(self, event: gr.EventData, request: gr.Request) -> Drawn:
        """The whole page, as the server knows it."""
        who, press = await self._asked(event, request)
        pen = pen_of(who)
        conversation = press.text("conversation") or await self._newest(who)
        fixed = {
            self.parts.bar: top_bar(who, pen("page.desk"), PATH),
            self.parts.panes: _panes(who),
            self.parts.composer: composer(pen),
        }
        return fixed | await self._drawn(who, press, conversation) | {self.parts.wire: answered(())}

    async def changed(self, event: gr.EventData, request: gr.Request) -> Drawn:
        """What may have changed elsewhere. The chat is left alone while this page is being answered in it."""
        who, press = await self._asked(event, request)
        bar = {self.parts.bar: top_bar(who, pen_of(who)("page.desk"), PATH)}
        return bar | await self._drawn(who, press, press.text("conversation"), chat=not press.data.get("talking"))

    async def spell(self, event: gr.EventData, request: gr.Request) -> Drawn:
        """A suggestion for names in Latin letters; the traveller confirms it."""
        who, press = await self._asked(event, request)
        native = press.text("native") or ""
        family, given = latin_name(native) or ("", "")
        text = pen_of(who)("people.latin_suggested", name=f"{family} {given}") if family else ""
        return {
            self.parts.wire: tag("i", data_spelt=True, data_native=native, data_family=family, data_given=given, data_text=text)
        }

    async def act(self, event: gr.EventData, request: gr.Request) -> Drawn:
        """A press of any button but those that make the desk talk."""
        who, press = await self._asked(event, request)
        try:
            return await self._carried_out(who, press)
        except CommandRefused as refused:
            return await self._drawn(who, press, press.text("conversation"), chat=False) | self._refused(who, press, refused)

    async def talk(self, event: gr.EventData, request: gr.Request) -> AsyncIterator[Drawn]:
        """Sends a message (or an edit of one) and shows the reply as it is written."""
        who, press = await self._asked(event, request)
        try:
            conversation = press.text("conversation") or await self._opened(who, press)
            asked = traveller_command(Press({**press.data, "conversation": conversation}), who.actor)
            if asked is None:
                raise Invalid("invalid")
            await self.faces.accept(asked)
        except CommandRefused as refused:
            yield self._refused(who, press, refused)
            return
        view = await self.faces.conversation(who.reader, conversation)
        yield await self._drawn(who, press, conversation, writing="")
        written = ""
        async for piece in self.faces.pieces(who.actor, asked.command_id):
            written += piece
            yield {self.parts.chat: transcript(view, pen_of(who), writing=written)}
        receipt = await self.faces.settled(who.actor.tenant_id, asked.command_id, wait=20)
        answer = {self.parts.wire: answered((press.key,))} | self._failed(who, receipt)
        yield await self._drawn(who, press, conversation) | answer

    async def _asked(self, event: gr.EventData, request: gr.Request) -> tuple[SignedIn, Press]:
        return await self.faces.who(cast("Asking", request)), Press.of(event._data)

    async def _newest(self, who: SignedIn) -> str | None:
        rows = await self.faces.conversations(who.reader)
        return rows[0].conversation_id if rows else None

    async def _opened(self, who: SignedIn, press: Press) -> str:
        """A conversation for the first message; its key was minted with the message's, so that a resend finds the same one."""
        fresh = press.text("fresh")
        if fresh is None:
            raise Invalid("key_missing")
        receipt = await self.faces.accept(command(Kind.CREATE_CONVERSATION, "", {}, key=fresh, actor=who.actor))
        return str((receipt.result or {})["conversation_id"])

    async def _carried_out(self, who: SignedIn, press: Press) -> Drawn:
        conversation = press.text("conversation")
        match press.do:
            case "open":
                return await self._drawn(who, press, conversation)
            case "new":
                return await self._drawn(who, press, None) | {self.parts.wire: answered((press.key,))}
            case "archived":
                return await self._listed(who, press, conversation)
            case "sort" | "pick" | "stage" | "segment" | "active" | "seat" | "if_gone":
                return await self._drawn(who, press, conversation, chat=False, drafts=await self._redrafted(who, press))
            case _:
                return await self._commanded(who, press, conversation)

    async def _listed(self, who: SignedIn, press: Press, conversation: str | None) -> Drawn:
        return await self._drawn(who, Press({**press.data, "archived": press.text("value") or ""}), conversation, chat=False)

    async def _commanded(self, who: SignedIn, press: Press, conversation: str | None) -> Drawn:
        asked = await self._choosing(who, press) if press.do == "choose" else traveller_command(press, who.actor)
        if asked is None:
            raise Invalid("invalid")
        receipt = await self._sent(who, asked)
        drafts = {k: v for k, v in press.drafts.items() if k != asked.target}
        shown = None if press.do == "archive" and press.text("value") and asked.target == conversation else conversation
        drawn = await self._drawn(who, press, shown, chat=not press.data.get("talking"), drafts=drafts)
        return drawn | {self.parts.wire: answered((press.key,))} | self._failed(who, receipt)

    async def _choosing(self, who: SignedIn, press: Press) -> Command:
        trip = await self.faces.trip(who.reader, press.text("trip") or "")
        draft = press.drafts.get(trip.trip_id, Draft())
        offer = draft.picked(trip)
        if offer is None:
            raise Invalid("list_changed")
        return choose_command(press, who.actor, draft, all_seats(draft, offer))

    async def _sent(self, who: SignedIn, asked: Command) -> Receipt:
        receipt = await self.faces.accept(asked)
        return receipt if receipt.ended else await self.faces.settled(who.actor.tenant_id, asked.command_id, wait=QUICK)

    async def _redrafted(self, who: SignedIn, press: Press) -> dict[str, Draft]:
        """The drafts after a press that only picks."""
        drafts = press.drafts
        trip = await self.faces.trip(who.reader, press.text("trip") or "")
        draft = drafts.get(trip.trip_id, Draft())
        return drafts | {trip.trip_id: redrafted(draft, press, trip)}

    async def _drawn(
        self,
        who: SignedIn,
        press: Press,
        conversation: str | None,
        *,
        chat: bool = True,
        writing: str | None = None,
        drafts: dict[str, Draft] | None = None,
    ) -> Drawn:
        """List, chat and trips. Pieces that come out as they were are not touched by the browser."""
        pen, archived, search = pen_of(who), bool(press.text("archived")), press.text("search") or ""
        view, missing = await self._view(who, conversation)
        rows = await self.faces.conversations(who.reader, search=search or None, archived=archived)
        drawn: Drawn = {
            self.parts.conversations: conversation_list(
                rows, view.conversation_id if view else None, pen, archived=archived, search=search
            ),
            self.parts.trips: await self._trips(who, view, press.drafts if drafts is None else drafts),
        }
        if chat:
            drawn[self.parts.chat] = transcript(view, pen, writing=writing)
        return drawn | ({self.parts.notice: notice(pen("error.not_found"), tone="warn")} if missing else {})

    async def _view(self, who: SignedIn, conversation: str | None) -> tuple[ConversationView | None, bool]:
        if conversation is None:
            return None, False
        try:
            return await self.faces.conversation(who.reader, conversation), False
        except NotFound:
            return None, True

    async def _trips(self, who: SignedIn, view: ConversationView | None, drafts: dict[str, Draft]) -> Markup:
        trips = view.trips if view else ()
        maps = {t.trip_id: await self._maps(who, t, drafts.get(t.trip_id, Draft())) for t in trips}
        people = await self.faces.people(who.reader) if any(_unnamed(t) for t in trips) else ()
        return trips_panel(trips, drafts, maps, people, view.wishes if view else (), pen_of(who))

    async def _maps(self, who: SignedIn, trip: TripView, draft: Draft) -> Sequence[SeatMapView]:
        """Of the option being picked, or of the one that was chosen and waits."""
        number = option_shown(trip, draft)
        if number is None:
            return ()
        try:
            return await self.faces.seat_maps(who.reader, trip.trip_id, number)
        except (CommandRefused, Unavailable):
            return ()

    def _refused(self, who: SignedIn, press: Press, refused: CommandRefused) -> Drawn:
        text = refusal(refused, pen_of(who))
        return {self.parts.notice: notice(text, tone="warn"), self.parts.wire: answered((), press.text("key"))}

    def _failed(self, who: SignedIn, receipt: Receipt) -> Drawn:
        if receipt.error is None:
            return {}
        facts = {name: value for name, value in receipt.error.items() if name != "code"}
        return {self.parts.notice: notice(failure(str(receipt.error.get("code")), facts, pen_of(who)), tone="warn")}


def redrafted(draft: Draft, press: Press, trip: TripView) -> Draft:
    """The draft of a trip after a press; one that does not fit leaves it as it was."""
    value, number = press.text("value"), press.number("value")
    match press.do:
        case "sort" if value in SORTS:
            return draft.model_copy(update={"sort": value})
        case "pick" if any(o.n == number for o in trip.offers):
            return Draft(stage="seats", sort=draft.sort, offer=number, offers_hash=trip.offers_hash, if_gone=draft.if_gone)
        case "stage" if value in STAGES:
            return draft.model_copy(update={"stage": value})
        case "segment" if number and 1 <= number <= 9:
            return draft.model_copy(update={"segment": number, "active": 0})
        case "active" if number is not None and 0 <= number <= 8:
            return draft.model_copy(update={"active": number})
        case "if_gone" if value in set(IfGone):
            return draft.model_copy(update={"if_gone": IfGone(value)})
        case "seat":
            return _reseated(draft, press, trip)
        case _:
            return draft


def _reseated(draft: Draft, press: Press, trip: TripView) -> Draft:
    offer, seat = draft.picked(trip), press.text("seat")
    if offer is None or seat is None or not 1 <= draft.segment <= len(offer.fare.segments):
        return draft
    seats = seats_now(draft, offer, offer.fare.segments[draft.segment - 1].key, draft.segment)
    return draft.with_seat(seats, draft.active, seat)


def _unnamed(trip: TripView) -> bool:
    return any(p.person_id is None or p.missing for p in trip.passengers)


def _panes(who: SignedIn) -> Markup:
    """On a narrow screen one of three is shown."""
    pen = pen_of(who)
    names = (("list", "ui.conversations"), ("chat", "ui.conversation"), ("trips", "card.journey"))
    return tag(
        "div", (tag("button", pen(key), type="button", data_do="pane", data_value=name) for name, key in names), class_="panes"
    )
