"""The reviewer's page. Like the traveller's it has no authority: the service decides who may decide, and what on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import gradio as gr

from assistant.domain.commands import Command, Kind, Receipt
from assistant.domain.errors import CommandRefused, Invalid, NotFound, Unavailable
from assistant.domain.ids import derived
from assistant.views.case_shapes import CaseView
from assistant.views.shapes import ReviewRow, ReviewView, SeatMapView

from .attention import ABOUT_TRIPS, SETTLES, about_trip, settlement
from .decision import review_detail
from .editing import Editing, edited, offer_of
from .faces import Asking, Faces, Preview, SignedIn
from .inbox import FILTERS, Filter, nothing_open, review_list, together
from .markup import NOTHING, Markup, tag
from .operations import case_detail, case_list, no_case, resolution
from .page import answered, failure, notice, pen_of, refusal, script, top_bar
from .presses import Press, command
from .timeline_page import timeline_over

PATH = "/review"
QUICK = 3.0  # seconds a decision may wait for its answer before the next review opens
EDITS = frozenset({"seat", "active", "segment", "offer", "settle", "discard"})
DECISIONS = frozenset({"approve", "reject", "respond"})
Drawn = dict[Any, Any]


@dataclass(frozen=True)
class Parts:
    """The pieces of the page that are drawn anew, each by itself."""

    bar: gr.HTML
    panes: gr.HTML
    inbox: gr.HTML
    detail: gr.HTML
    notice: gr.HTML
    wire: gr.HTML

    @property
    def all(self) -> list[gr.HTML]:
        return list(vars(self).values())


def review_page(faces: Faces) -> gr.Blocks:
    """The `Blocks` of /review."""
    with gr.Blocks(title="Layover", analytics_enabled=False) as blocks:
        bar = gr.HTML(apply_default_css=False, elem_id="topbar")
        panes = gr.HTML(apply_default_css=False, elem_id="panes")
        with gr.Row(elem_id="review", equal_height=False):
            inbox = gr.HTML(apply_default_css=False, elem_id="inbox")
            detail = gr.HTML(apply_default_css=False, elem_id="detail")
        said = gr.HTML(apply_default_css=False, elem_id="notice")
        timeline_over(faces, PATH, said)
        wire = gr.HTML(apply_default_css=False, elem_id="wire", js_on_load=script(PATH, pane="list"))
        parts = Parts(bar, panes, inbox, detail, said, wire)
        page = Review(faces, parts)
        for name, callback, mode in (
            ("boot", page.boot, "multiple"),
            ("changed", page.changed, "always_last"),
            ("act", page.act, "multiple"),
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


class Review:
    """Callbacks of the reviewer's page. Each one finds out who asks before anything else."""

    def __init__(self, faces: Faces, parts: Parts) -> None:
        self.faces = faces
        self.parts = parts

    async def boot(self, event: gr.EventData, request: gr.Request) -> Drawn:
        """The whole page, with the review its address names or the first that waits."""
        who, press = await self._asked(event, request)
        if press.text("case"):
            press = Press({**press.data, "filter": "operations"})
        review = press.text("review") or await self._first(who)
        fixed = {self.parts.bar: top_bar(who, pen_of(who)("page.review"), PATH), self.parts.panes: _panes(who)}
        return fixed | await self._drawn(who, press, review) | {self.parts.wire: answered(())}

    async def changed(self, event: gr.EventData, request: gr.Request) -> Drawn:
        """The list, and the open review as it is now; what is typed and edited in it stays."""
        who, press = await self._asked(event, request)
        bar = {self.parts.bar: top_bar(who, pen_of(who)("page.review"), PATH)}
        if press.data.get("together"):
            return bar | {self.parts.inbox: await self._inbox(who, press, None)}
        return bar | await self._drawn(who, press, press.text("review"), Editing.read(press.data.get("editing")))

    async def act(self, event: gr.EventData, request: gr.Request) -> Drawn:
        who, press = await self._asked(event, request)
        try:
            return await self._carried_out(who, press)
        except CommandRefused as refused:
            again = await self._drawn(who, press, press.text("review"), Editing.read(press.data.get("editing")))
            return again | self._refused(who, press, refused)

    async def _asked(self, event: gr.EventData, request: gr.Request) -> tuple[SignedIn, Press]:
        return await self.faces.who(cast("Asking", request)), Press.of(event._data)

    async def _carried_out(self, who: SignedIn, press: Press) -> Drawn:
        editing = Editing.read(press.data.get("editing"))
        match press.do:
            case "open" | "back":
                return await self._drawn(who, press, press.text("review") or await self._first(who))
            case "filter":
                return await self._filtered(who, press, _filter(press.text("value")))
            case "resolve":
                return await self._resolved(who, press)
            case "together":
                return await self._together(who, press)
            case "approve_together":
                return await self._all_decided(who, press)
            case "claim" | "release":
                await self._sent(who, self._claim(press, who))
                return await self._drawn(who, press, press.text("review"), editing) | {self.parts.wire: answered((press.key,))}
            case do if do in EDITS:
                review = await self.faces.review(who.reader, press.text("review") or "")
                return await self._drawn(who, press, review.review_id, edited(editing, press, review))
            case do if do in SETTLES:
                return await self._settled(who, press)
            case do if do in DECISIONS:
                return await self._decided(who, press, editing)
            case _:
                raise Invalid("invalid")

    def _claim(self, press: Press, who: SignedIn) -> Command:
        kind = Kind.CLAIM_REVIEW if press.do == "claim" else Kind.RELEASE_REVIEW
        return command(kind, press.text("review") or "", {}, key=press.key, actor=who.actor)

    async def _decided(self, who: SignedIn, press: Press, editing: Editing) -> Drawn:
        """One decision on the plan whose digest was on the page; then the next review opens."""
        review_id = press.text("review") or ""
        kind = ("edit" if editing.changes else "approve") if press.do == "approve" else press.do
        edits = editing.edits.model_dump(mode="json", exclude_none=True) if kind == "edit" else None
        payload = {"type": kind, "digest": press.text("digest"), "edits": edits, "message": press.text("message")}
        following = await self._after(who, review_id)
        receipt = await self._sent(who, command(Kind.DECIDE, review_id, payload, key=press.key, actor=who.actor))
        pen = pen_of(who)
        if receipt.error is not None:
            said = notice(_why(receipt, who), tone="warn")
            return await self._drawn(who, press, review_id) | {self.parts.notice: said, self.parts.wire: answered((press.key,))}
        said = notice(pen("ui.decided", decision=pen(f"decided_as.{kind}")))
        return await self._drawn(who, press, following) | {self.parts.notice: said, self.parts.wire: answered((press.key,))}

    async def _filtered(self, who: SignedIn, press: Press, chosen: Filter) -> Drawn:
        """Another list; between decisions and operations what is open changes with it."""
        if "operations" in (chosen, press.text("filter")):
            return await self._drawn(who, Press({**press.data, "filter": chosen, "case": None}), await self._first(who))
        return {self.parts.inbox: await self._inbox(who, press, press.text("review"), chosen)}

    async def _resolved(self, who: SignedIn, press: Press) -> Drawn:
        """An operator's word on one case, which stays open with what was said."""
        pen = pen_of(who)
        case = await self.faces.case(who.reader, press.text("case") or "")
        label = next((a.label for a in case.actions if a.resolution == press.text("word")), "")
        await self._sent(who, resolution(press, who.actor))
        drawn = await self._drawn(who, press, None)
        return drawn | {self.parts.notice: notice(pen("case.done", what=label)), self.parts.wire: answered((press.key,))}

    async def _operations(self, who: SignedIn, press: Press) -> Drawn:
        cases, pen = await self.faces.cases(who.reader), pen_of(who)
        shown = next(
            (c for c in cases if c.case_id == press.text("case")), None if press.text("case") else next(iter(cases), None)
        )
        rows = case_list(cases, shown.case_id if shown else None, pen)
        counts = await self._counts(who)
        return {
            self.parts.inbox: review_list((), None, "operations", counts, pen, instead=rows),
            self.parts.detail: case_detail(shown, pen, beside=await self._beside(who, shown))
            if shown
            else no_case(pen, empty=not cases),
        }

    async def _beside(self, who: SignedIn, case: CaseView) -> Markup:
        """The moved flight, the question and the bookings of its trip, where the case is about those."""
        if case.kind not in ABOUT_TRIPS:
            return NOTHING
        return about_trip(await self.faces.trip(who.reader, case.trip_id), case.who, pen_of(who))

    async def _settled(self, who: SignedIn, press: Press) -> Drawn:
        """An answer to a traveller, or a booking that is given up."""
        asked = settlement(press, who.actor)
        if asked is None:
            raise Invalid("invalid")
        receipt = await self._sent(who, asked)
        pen = pen_of(who)
        said = notice(pen("attention.sent" if press.do == "reply" else "timeline.given_up"))
        if receipt.error is not None:
            said = notice(_why(receipt, who), tone="warn")
        drawn = await self._drawn(who, press, None)
        return drawn | {self.parts.notice: said, self.parts.wire: answered((press.key,))}

    async def _counts(self, who: SignedIn) -> dict[Filter, int]:
        waiting = await self.faces.reviews(who.reader)
        need = await self.faces.need_a_person(who.reader)
        return {"waiting": len(waiting), "mine": sum(1 for r in waiting if r.claimed_by_me), "operations": need}

    async def _together(self, who: SignedIn, press: Press) -> Drawn:
        """A card that names each before they are approved; it carries what was shown of each."""
        rows = {r.review_id: r for r in await self.faces.reviews(who.reader)}
        wanted = [rows[i] for i in press.texts("items") if i in rows and rows[i].within_policy and not rows[i].mine]
        if not wanted:
            raise Invalid("nothing_ticked")
        reviews = [await self.faces.review(who.reader, r.review_id) for r in wanted]
        return {self.parts.detail: together(reviews, pen_of(who))}

    async def _all_decided(self, who: SignedIn, press: Press) -> Drawn:
        """Each by its own command, its id derived from the press: a second press of the same card decides nothing twice."""
        pen, approved, told = pen_of(who), 0, ""
        items = press.data.get("items")
        for item in cast("list[Any]", items) if isinstance(items, list) else []:
            one = Press.of(item)
            review_id, payload = one.text("review") or "", {"type": "approve", "digest": one.text("digest")}
            try:
                await self.faces.accept(
                    command(Kind.DECIDE, review_id, payload, key=derived("together", press.key, review_id), actor=who.actor)
                )
                approved += 1
            except CommandRefused as refused:
                told = " " + refusal(refused, pen)
        said = notice(pen("ui.approved_together", count=approved) + told, tone="warn" if told else "info")
        drawn = await self._drawn(who, press, await self._first(who))
        return drawn | {self.parts.notice: said, self.parts.wire: answered((press.key,))}

    async def _sent(self, who: SignedIn, asked: Command) -> Receipt:
        receipt = await self.faces.accept(asked)
        return receipt if receipt.ended else await self.faces.settled(who.actor.tenant_id, asked.command_id, wait=QUICK)

    async def _first(self, who: SignedIn) -> str | None:
        rows = await self.faces.reviews(who.reader)
        return rows[0].review_id if rows else None

    async def _after(self, who: SignedIn, review_id: str) -> str | None:
        """The one below in the list of those that wait, else the first."""
        ids = [r.review_id for r in await self.faces.reviews(who.reader)]
        at = ids.index(review_id) if review_id in ids else -1
        rest = ids[at + 1 :] + ids[: max(at, 0)]
        return rest[0] if rest else None

    async def _drawn(self, who: SignedIn, press: Press, review_id: str | None, editing: Editing | None = None) -> Drawn:
        if press.text("filter") == "operations":
            return await self._operations(who, press)
        return {
            self.parts.inbox: await self._inbox(who, press, review_id),
            self.parts.detail: await self._detail(
                who, review_id, editing or Editing(), _filter(press.text("filter")) == "waiting"
            ),
        }

    async def _inbox(self, who: SignedIn, press: Press, current: str | None, chosen: Filter | None = None) -> Markup:
        shown = chosen or _filter(press.text("filter"))
        waiting = await self.faces.reviews(who.reader)
        mine = [r for r in waiting if r.claimed_by_me]
        rows: Sequence[ReviewRow] = {"waiting": waiting, "mine": mine}.get(shown) or (
            await self.faces.reviews(who.reader, status="done") if shown == "done" else ()
        )
        return review_list(rows, current, shown, await self._counts(who), pen_of(who))

    async def _detail(self, who: SignedIn, review_id: str | None, editing: Editing, waiting_only: bool) -> Markup:
        pen = pen_of(who)
        if review_id is None:
            return nothing_open(pen, empty=waiting_only and not await self.faces.reviews(who.reader))
        try:
            review = await self.faces.review(who.reader, review_id)
        except NotFound:
            return nothing_open(pen, empty=False)
        if review.status != "waiting":
            editing = Editing()
        preview, error = await self._preview(who, review, editing)
        return review_detail(review, editing, preview, await self._maps(who, review, editing), pen, error=error)

    async def _preview(self, who: SignedIn, review: ReviewView, editing: Editing) -> tuple[Preview | None, str | None]:
        if not editing.changes:
            return None, None
        try:
            return await self.faces.preview_edit(who.actor, review.review_id, editing.edits), None
        except CommandRefused as refused:
            return None, refusal(refused, pen_of(who))
        except Unavailable:
            return None, pen_of(who)("error.unavailable")

    async def _maps(self, who: SignedIn, review: ReviewView, editing: Editing) -> Sequence[SeatMapView]:
        offer = offer_of(review, editing)
        if offer is None or review.status != "waiting":
            return ()
        try:
            return await self.faces.seat_maps(who.reader, review.trip_id, offer.n)
        except (CommandRefused, Unavailable):
            return ()

    def _refused(self, who: SignedIn, press: Press, refused: CommandRefused) -> Drawn:
        said = notice(refusal(refused, pen_of(who)), tone="warn")
        return {self.parts.notice: said, self.parts.wire: answered((), press.text("key"))}


def _filter(value: str | None) -> Filter:
    return cast("Filter", value) if value in FILTERS else "waiting"


def _why(receipt: Receipt, who: SignedIn) -> str:
    error = receipt.error or {}
    return failure(str(error.get("code")), {name: value for name, value in error.items() if name != "code"}, pen_of(who))


def _panes(who: SignedIn) -> Markup:
    """On a narrow screen one of two is shown."""
    pen = pen_of(who)
    names = (("list", "review.title"), ("detail", "ui.decision"))
    return tag(
        "div", (tag("button", pen(key), type="button", data_do="pane", data_value=name) for name, key in names), class_="panes"
    )
