"""The timeline over a page: its own parts and wire beside those of the page it opens over. Callbacks ask, card functions draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, cast

import gradio as gr

from assistant.domain.commands import Command, Kind, Receipt
from assistant.domain.errors import CommandRefused, Gone, Invalid, NotFound, Unavailable
from assistant.domain.plans import Choice
from assistant.views.shapes import OfferView, Reader
from assistant.views.thread_shapes import Comparison, VersionsPage, VersionView, WayBack

from .branch_tree import branch_tree
from .correction_values import patch_of, values_of
from .faces import Asking, Faces, SignedIn
from .markup import NOTHING, Markup, joined, tag
from .other_bookings import other_bookings
from .page import answered, failure, notice, pen_of, refusal
from .pen import Pen
from .presses import Press, command
from .static_files import static
from .timeline import around, heading, no_step, not_there, nothing_picked, version_detail
from .timeline_press import Form, form_of, of_version
from .way_back import way_back

ABOVE = 20  # newer steps shown over one that an address names
PATIENCE = 20.0  # seconds a rewind may take before the page goes on and the poll brings it
Drawn = dict[Any, Any]


@dataclass(frozen=True)
class Parts:
    """The pieces that are drawn anew, each by itself."""

    top: gr.HTML
    tree: gr.HTML
    step: gr.HTML
    way: gr.HTML
    notice: gr.HTML
    wire: gr.HTML

    @property
    def all(self) -> list[gr.HTML]:
        return list(vars(self).values())


def timeline_over(faces: Faces, path: str, notice_part: gr.HTML) -> None:
    """Adds the timeline to the `Blocks` being made; shut until a link to a thread is pressed, or its address names one."""
    with gr.Column(elem_id="timeline"):
        top = gr.HTML(apply_default_css=False, elem_id="timeline-top")
        with gr.Row(elem_id="timeline-columns", equal_height=False):
            tree = gr.HTML(apply_default_css=False, elem_id="timeline-tree")
            with gr.Column(elem_id="timeline-side"):
                step = gr.HTML(apply_default_css=False, elem_id="timeline-step")
                way = gr.HTML(apply_default_css=False, elem_id="timeline-way")
    wire = gr.HTML(apply_default_css=False, elem_id="timeline-wire", js_on_load=static("timeline.js").replace("%PATH%", path))
    parts = Parts(top, tree, step, way, notice_part, wire)
    page = Timeline(faces, parts, reviewer=path == "/review")
    for name, callback in (("ask", page.ask), ("changed", page.changed)):
        getattr(wire, name)(
            callback,
            None,
            parts.all,
            trigger_mode="multiple" if name == "ask" else "always_last",
            show_progress="hidden",
            api_visibility="private",
            concurrency_limit=50,
        )


class Timeline:
    """Each callback finds out who asks before anything else; at the desk one sees one's own threads only."""

    def __init__(self, faces: Faces, parts: Parts, *, reviewer: bool) -> None:
        self.faces = faces
        self.parts = parts
        self.reviewer = reviewer
        self._looks = count(1)  # the same preview twice is drawn twice

    async def ask(self, event: gr.EventData, request: gr.Request) -> Drawn:
        who, press = await self._asked(event, request)
        try:
            return await self._done(who, press) | self._answered(press)
        except (CommandRefused, Unavailable) as refused:
            text = refusal(refused, pen_of(who)) if isinstance(refused, CommandRefused) else pen_of(who)("error.unavailable")
            told = {self.parts.notice: notice(text, tone="warn"), self.parts.wire: answered((), press.text("key"))}
            return await self._after_refusal(who, press) | told

    async def changed(self, event: gr.EventData, request: gr.Request) -> Drawn:
        """The tree as it is now; what somebody types beside it stays, what is said of "now" follows."""
        who, press = await self._asked(event, request)
        number = press.number("version")
        try:
            page = await self._page(who, press)
            drawn = await self._tree(who, press, page, number)
            if number is None or press.number("head") in {None, page.head} or press.data.get("typing"):
                return drawn
            return drawn | await self._step(who, Press({**press.data, "do": "reform"}), page, number)
        except CommandRefused:
            return {self.parts.tree: gr.skip()}  # an answer has to name at least one part

    async def _asked(self, event: gr.EventData, request: gr.Request) -> tuple[SignedIn, Press]:
        return await self.faces.who(cast("Asking", request)), Press.of(event._data)

    def _reader(self, who: SignedIn) -> Reader:
        return who.reader.model_copy(update={"reviewer": self.reviewer and who.reader.reviewer})

    def _answered(self, press: Press) -> Drawn:
        return {self.parts.wire: answered((press.text("key") or "",))}

    async def _done(self, who: SignedIn, press: Press) -> Drawn:
        match press.do:
            case "open":
                return await self._opened(who, press)
            case "pick" | "compare" | "xray":
                return await self._picked(who, press) | ({} if press.do == "xray" else {self.parts.way: NOTHING})
            case "fold" | "older":
                page = await self._page(who, press)
                return await self._tree(who, press, page, press.number("version"))
            case "reform":
                return self._formed(press, await self._picked(who, press, tree=False))
            case "look":
                return await self._looked(who, press)
            case "promote":
                return await self._promotion(who, press)
            case "settle":
                return await (self._promotion if press.text("branch") else self._looked)(who, press)
            case "go":
                return await self._gone(who, press, await self._rewind(who, press))
            case "halt":
                return await self._halted(who, press)
            case "remark":
                return await self._remarked(who, press)
            case "cancel":
                return await self._given_up(who, press)
            case "promote_go":
                return await self._gone(who, press, self._promote(who, press))
            case _:
                raise Invalid("invalid")

    # Drawing

    async def _page(self, who: SignedIn, press: Press) -> VersionsPage:
        return await self.faces.threads.page(self._reader(who), press.text("thread") or "", before=press.number("before"))

    async def _tree(self, who: SignedIn, press: Press, page: VersionsPage, selected: int | None) -> Drawn:
        pen, unfolded = pen_of(who), press.texts("unfolded")
        tree = branch_tree(page, selected, frozenset(unfolded), pen)
        if page.kind == "trip":
            tree = joined((other_bookings(await self.faces.trip(self._reader(who), page.thread_id), pen), tree))
        return {
            self.parts.top: heading(page, pen),
            self.parts.tree: around(tree, page, selected, press.number("before"), unfolded, pen),
        }

    async def _opened(self, who: SignedIn, press: Press) -> Drawn:
        """With the version its address names, on the page of the tree where that is; else the newest on the main line."""
        pen, asked = pen_of(who), press.text("version")
        try:
            page = await self._page(who, press)
        except NotFound:
            head, advice = not_there(pen)
            return {self.parts.top: head, self.parts.tree: advice, self.parts.step: NOTHING, self.parts.way: NOTHING}
        number = page.head if asked is None else _numbered(asked, page)
        if number and page.before and page.versions and number < page.versions[-1].version:
            press = Press({**press.data, "before": min(number + ABOVE, page.newest)})
            page = await self._page(who, press)
        drawn = await self._tree(who, press, page, number) | {self.parts.way: NOTHING, self.parts.step: nothing_picked(pen)}
        if number is None:
            return drawn | ({} if asked is None else {self.parts.step: no_step(asked, page, pen, cleared=False)})
        return drawn | await self._readable(who, press, page, number)

    async def _picked(self, who: SignedIn, press: Press, *, tree: bool = True) -> Drawn:
        page, number = await self._page(who, press), of_version(press)
        return (await self._tree(who, press, page, number) if tree else {}) | await self._readable(who, press, page, number)

    def _formed(self, press: Press, drawn: Drawn) -> Drawn:
        """Tells the browser with the form itself that it is drawn: until then what is pressed waits."""
        return drawn | {self.parts.step: joined((drawn[self.parts.step], tag("i", hidden=True, data_formed=press.text("key"))))}

    async def _readable(self, who: SignedIn, press: Press, page: VersionsPage, number: int) -> Drawn:
        """The step, or why there is nothing of it to read."""
        try:
            return await self._step(who, press, page, number)
        except (NotFound, Gone) as missing:
            shown = no_step(str(number), page, pen_of(who), cleared=isinstance(missing, Gone))
            return {self.parts.step: shown, self.parts.way: NOTHING}

    async def _step(self, who: SignedIn, press: Press, page: VersionsPage, number: int) -> Drawn:
        reader, threads = self._reader(who), self.faces.threads
        view = await threads.version(reader, page.thread_id, number)
        if press.do == "xray" or (press.do in {"reform", "compare"} and press.text("xray")):
            view = view.model_copy(update={"raw": await threads.raw(who.actor, page.thread_id, number)})
        compared = await self._compared(reader, page, press, number)
        shown = await self._form(who, press, view)
        drawn = version_detail(view, page, shown.values, shown.table, pen_of(who), compared=compared, reviewer=reader.reviewer)
        return {self.parts.step: drawn}

    async def _compared(self, reader: Reader, page: VersionsPage, press: Press, number: int) -> Comparison | None:
        other = press.text("value") if press.do == "compare" else press.text("with") if press.do in {"reform", "xray"} else None
        return await self.faces.threads.compare(reader, page.thread_id, a=str(number), b=other) if other else None

    async def _form(self, who: SignedIn, press: Press, view: VersionView) -> Form:
        """The form as it stands in the page; one that is drawn for the first time shows how things were."""
        options: tuple[OfferView, ...] = ()
        reader, threads, shown = self._reader(who), self.faces.threads, view.version
        if view.correctable and {"offer", "exclude"} & set(view.correctable["properties"]):
            options = tuple(await threads.options_then(reader, view.thread_id, shown.version))
        form = form_of(press, view, options)
        if form.offer is None or view.correctable is None or "seats" not in view.correctable["properties"]:
            return form
        maps = await threads.seat_maps_then(reader, view.thread_id, shown.version, form.offer)
        names = tuple(p.name or "" for p in (await self.faces.trip(reader, view.thread_id)).passengers)
        return form.with_maps(maps, names, press)

    async def _after_refusal(self, who: SignedIn, press: Press) -> Drawn:
        """What was being done stays on the page; only what moved is drawn again."""
        try:
            page = await self._page(who, press)
        except NotFound:
            return await self._opened(who, press)
        shut = {self.parts.way: NOTHING} if press.do == "look" else {}
        return await self._tree(who, press, page, press.number("version")) | shut

    # Looking before going

    async def _looked(self, who: SignedIn, press: Press) -> Drawn:
        page, corrections = await self._page(who, press), await self._corrections(who, press)
        number, settle = of_version(press), _settle(press)
        way = await self.faces.threads.rewind_preview(
            who.actor, self._reader(who), page.thread_id, to=number, corrections=corrections, settle=settle
        )
        view = await self.faces.threads.version(self._reader(who), page.thread_id, number)
        pen = pen_of(who)
        target = pen("timeline.go", n=number, title=view.version.title)
        return {self.parts.way: self._shown(way, target, page, press, pen, branch=None)}

    async def _promotion(self, who: SignedIn, press: Press) -> Drawn:
        page, branch, settle = await self._page(who, press), press.text("branch") or "", _settle(press)
        way = await self.faces.threads.promote_preview(
            who.actor, self._reader(who), page.thread_id, branch_id=branch, settle=settle
        )
        head = next((b.head for b in page.branches if b.branch_id == branch), None)
        titles = {v.version: v.title for v in page.versions}
        pen = pen_of(who)
        target = pen("timeline.promote_go", n=head, title=titles.get(head or 0, ""))
        return {self.parts.way: self._shown(way, target, page, press, pen, branch=branch)}

    def _shown(self, way: WayBack, target: str, page: VersionsPage, press: Press, pen: Pen, *, branch: str | None) -> Markup:
        look, settle = next(self._looks), _settle(press)
        return way_back(way, target, page, pen, settle=settle, branch=branch, look=look, form=press.number("form"))

    async def _corrections(self, who: SignedIn, press: Press) -> dict[str, Any]:
        """What the form says that was not so before."""
        view = await self.faces.threads.version(self._reader(who), press.text("thread") or "", of_version(press))
        if view.correctable is None:
            raise Invalid("not_correctable", step=view.version.step)
        form = await self._form(who, press, view)
        return patch_of(view.correctable, values_of(view.correctable, press.data, form.before), form.before)

    # Going

    async def _rewind(self, who: SignedIn, press: Press) -> Command:
        payload = {
            "to_version": of_version(press),
            "seen_version": press.number("newest"),
            "corrections": await self._corrections(who, press) or None,
            "settle": _settle(press),
            "confirm": press.text("confirm") is not None,
            "reason": press.text("reason") or "",
        }
        return command(Kind.REWIND, press.text("thread") or "", payload, key=press.key, actor=who.actor)

    def _promote(self, who: SignedIn, press: Press) -> Command:
        payload: Mapping[str, Any] = {
            "branch_id": press.text("branch"),
            "seen_version": press.number("newest"),
            "settle": _settle(press),
            "reason": press.text("reason") or "",
        }
        return command(Kind.PROMOTE_BRANCH, press.text("thread") or "", payload, key=press.key, actor=who.actor)

    async def _given_up(self, who: SignedIn, press: Press) -> Drawn:
        """One of the other live bookings; whoever reviews decides on it."""
        keeps = True if press.text("value") else None
        payload: Mapping[str, Any] = {"order_id": press.text("order"), "keep_choice": keeps}
        asked = command(Kind.CANCEL_TRIP, press.text("thread") or "", payload, key=press.key, actor=who.actor)
        return await self._gone(who, press, asked)

    async def _halted(self, who: SignedIn, press: Press) -> Drawn:
        """The way back that is under way is given up; what was stays."""
        await self.faces.accept(command(Kind.STOP, press.text("thread") or "", {}, key=press.key, actor=who.actor))
        drawn = await self._tree(who, press, await self._page(who, press), press.number("version"))
        return drawn | {self.parts.notice: notice(pen_of(who)("timeline.halted"))}

    async def _remarked(self, who: SignedIn, press: Press) -> Drawn:
        """A note on the branch of the step that is open; an empty one takes it away."""
        payload = {"branch_id": press.text("noted"), "text": press.text("text") or ""}
        await self.faces.accept(command(Kind.NOTE_BRANCH, press.text("thread") or "", payload, key=press.key, actor=who.actor))
        drawn = await self._picked(who, Press({**press.data, "do": "reform"}))
        return drawn | {self.parts.notice: notice(pen_of(who)("timeline.remarked"))}

    async def _gone(self, who: SignedIn, press: Press, asked: Command) -> Drawn:
        """The page as it is afterwards, at its new head."""
        receipt = await self.faces.accept(asked)
        if not receipt.ended:
            receipt = await self.faces.settled(who.actor.tenant_id, asked.command_id, wait=PATIENCE)
        at_head = Press({"do": "open", "thread": press.text("thread"), "unfolded": press.texts("unfolded")})
        drawn = await self._opened(who, at_head)
        return drawn | {self.parts.notice: self._outcome(who, press, receipt)}

    def _outcome(self, who: SignedIn, press: Press, receipt: Receipt) -> Markup:
        pen = pen_of(who)
        if receipt.error is not None:
            facts = {name: value for name, value in receipt.error.items() if name != "code"}
            return notice(failure(str(receipt.error.get("code")), facts, pen), tone="warn")
        if not receipt.ended:
            return notice(pen("timeline.working"))
        if press.do == "cancel":
            return notice(pen("timeline.given_up"))
        return notice(pen("timeline.went", n=of_version(press)) if press.do == "go" else pen("timeline.promoted"))


def _numbered(asked: str, page: VersionsPage) -> int | None:
    """The version an address names; None for what cannot be one of this thread."""
    number = int(asked) if asked.isdecimal() and len(asked) < 10 else 0
    return number if 1 <= number <= page.newest else None


def _settle(press: Press) -> str | None:
    settle = press.text("settle")
    return settle if settle in set(Choice) else None
