"""The conversation: its list on the left, its messages, and the box one writes in."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from markupsafe import Markup

from assistant.views.shapes import ConversationRow, ConversationView, MessageView, Option

from .buttons import button, submit
from .icons import icon
from .markup import NOTHING, joined, paragraphs, tag
from .pen import Pen
from .timeline_link import timeline_link

MAX_OPTIONS = 2


def transcript(view: ConversationView | None, pen: Pen, *, writing: str | None = None, editing: bool = True) -> Markup:
    """All messages; `writing` is what has come of the reply that is being written now."""
    if view is None or (not view.messages and not view.running):
        return _greeting(view, pen)
    last = len(view.messages) - 1
    asks = next((i for i in range(last, -1, -1) if view.messages[i].role == "user" or view.messages[i].options), None)
    answers = [i for i, m in enumerate(view.messages) if m.role == "assistant"]
    shown = (
        _message(
            m,
            pen,
            options=i == asks,  # a plain notice that came later takes no question away
            again=editing and bool(answers) and i == answers[-1] == last and not view.running,
            editing=editing,
        )
        for i, m in enumerate(view.messages)
    )
    return tag(
        "div",
        tag("p", timeline_link(view.conversation_id, pen, "timeline.open_conversation"), class_="with-link steps"),
        shown,
        _writing(writing, pen) if view.running or writing is not None else None,
        class_="transcript",
        role="log",
        aria_label=pen("ui.conversation"),
        data_conversation=view.conversation_id,
        data_running=view.running,
    )


def _greeting(view: ConversationView | None, pen: Pen) -> Markup:
    starters = (button("write", pen(f"ui.starter_{n}"), kind="chip starter", data_text=pen(f"ui.starter_{n}")) for n in (1, 2))
    return tag(
        "div",
        tag(
            "div",
            icon("mark", 34),
            tag("h1", pen("ui.greeting")),
            tag("p", pen("ui.promise")),
            tag("div", starters, class_="chips"),
            class_="greeting",
        ),
        class_="transcript",
        role="log",
        aria_label=pen("ui.conversation"),
        data_conversation=view.conversation_id if view else None,
    )


def _message(message: MessageView, pen: Pen, *, options: bool, again: bool, editing: bool) -> Markup:
    mine = message.role == "user"
    tools = _edit(message, pen) if mine and editing and not message.pending else _again(message, pen) if again else None
    who = tag("span", pen("ui.you" if mine else "ui.desk_says"), class_="sr")
    return tag(
        "div",
        who,
        tag("div", paragraphs(message.text), class_="bubble"),
        tag("p", pen("ui.queued"), class_="quiet small") if message.pending else None,
        _options(message.options, pen) if options and not mine else None,
        _wordings(message, pen),
        tools,
        class_=f"message {'mine' if mine else 'desk'}" + (" pending" if message.pending else ""),
        data_message=message.message_id,
        data_command=message.command_id,
    )


def _options(options: Sequence[Option], pen: Pen) -> Markup:
    """At most two buttons, worded as what happens."""

    def one(option: Option) -> Markup:
        if option.trip_id:
            return button("show", option.label, kind="chip", data_trip=option.trip_id)
        return button("say", option.label, kind="chip", keyed=True, data_text=option.say)

    return tag("div", (one(o) for o in options[:MAX_OPTIONS]), class_="chips") if options else NOTHING


def _wordings(message: MessageView, pen: Pen) -> Markup:
    """Which of how many; the others are a press away and stay as they were."""
    if not message.wordings:
        return NOTHING
    nth = next((n for n, w in enumerate(message.wordings, start=1) if w.shown), 1)
    others = (
        tag("li", tag("small", pen("chat.wording", n=n, at=w.at)), tag("div", paragraphs(w.text)))
        for n, w in enumerate(message.wordings, start=1)
        if not w.shown
    )
    count = f"{nth}/{len(message.wordings)}"
    words = pen("chat.wordings", n=nth, count=len(message.wordings))
    return tag(
        "details",
        tag("summary", count, aria_label=words, title=words, class_="plain num"),
        tag("ul", others),
        class_="wordings",
        data_keep=f"w-{message.message_id}",
    )


def _edit(message: MessageView, pen: Pen) -> Markup:
    return tag(
        "details",
        tag("summary", icon("pencil", 15), aria_label=pen("chat.edit"), title=pen("chat.edit"), class_="icon-button"),
        tag(
            "form",
            tag("textarea", message.text, name="text", rows=2, maxlength=4000, required=True, aria_label=pen("chat.edit")),
            tag("p", pen("chat.edit_note"), class_="quiet small"),
            submit("edit", pen("chat.send"), data_message=message.message_id),
            data_form="edit",
        ),
        class_="tools edit",
        data_keep=f"m-{message.message_id}",
    )


def _again(message: MessageView, pen: Pen) -> Markup:
    return tag(
        "div",
        button(
            "regenerate",
            icon("again", 15),
            kind="icon-button",
            keyed=True,
            aria_label=pen("chat.regenerate"),
            title=pen("chat.regenerate"),
            data_message=message.message_id,
        ),
        class_="tools",
    )


def _writing(text: str | None, pen: Pen) -> Markup:
    waiting = tag("p", tag("span", pen("chat.thinking"), class_="sr"), (tag("i") for _ in range(3)), class_="thinking")
    return tag(
        "div",
        tag("div", paragraphs(text) if text else waiting, class_="bubble"),
        class_="message desk writing",
        aria_live="polite",
    )


def conversation_list(
    rows: Sequence[ConversationRow], current: str | None, pen: Pen, *, archived: bool = False, search: str = ""
) -> Markup:
    """Newest first, with what waits on the traveller; the search box keeps what is typed in it."""
    head = tag(
        "div",
        button("new", icon("plus", 16), pen("chat.new"), kind="second wide", keyed=True),
        tag(
            "label",
            icon("search", 16),
            tag("span", pen("chat.search"), class_="sr"),
            tag("input", type="search", placeholder=pen("chat.search"), data_search=True, autocomplete="off", maxlength=80),
            class_="search",
        ),
        class_="list-head",
    )
    shown = (
        tag("ul", (_row(r, current, pen) for r in rows), class_="rows")
        if rows
        else tag("p", _none(archived, search, pen), class_="quiet small pad")
    )
    toggle = button(
        "archived",
        icon("archive", 15),
        pen("ui.current" if archived else "chat.archived"),
        kind="plain",
        data_value="" if archived else "1",
    )
    return tag(
        "nav",
        head,
        shown,
        toggle,
        class_="conversations",
        aria_label=pen("ui.conversations"),
        data_archived="1" if archived else "",
    )


def _none(archived: bool, search: str, pen: Pen) -> str:
    return pen("page.nothing_found") if search or archived else pen("chat.none")


def _row(row: ConversationRow, current: str | None, pen: Pen) -> Markup:
    title = row.title or pen("chat.untitled")
    rename = tag(
        "form",
        tag("input", name="title", value=title, maxlength=120, required=True, aria_label=pen("chat.rename")),
        submit("rename", pen("chat.rename"), kind="second", data_conversation=row.conversation_id),
        button(
            "archive",
            pen("chat.unarchive" if row.archived else "chat.archive"),
            kind="second",
            keyed=True,
            data_conversation=row.conversation_id,
            data_value="" if row.archived else "1",
        ),
        data_form="rename",
    )
    return tag(
        "li",
        tag(
            "a",
            tag("span", title, class_="title"),
            tag(
                "span",
                tag("span", str(row.waiting), class_="count", title=pen("ui.waiting_on_you")) if row.waiting else None,
                class_="when",
            ),
            href="?" + urlencode({"conversation": row.conversation_id}),
            data_do="open",
            data_conversation=row.conversation_id,
            aria_current="page" if row.conversation_id == current else None,
        ),
        tag(
            "details",
            tag("summary", icon("pencil", 14), aria_label=pen("ui.rename_or_archive", title=title), class_="icon-button"),
            rename,
            data_keep=f"c-{row.conversation_id}",
        ),
    )


def composer(pen: Pen) -> Markup:
    """One button: it sends, or stops what is being written. Drawn once, so that nothing typed is ever lost."""
    send = tag("span", icon("send", 20), tag("span", pen("chat.send"), class_="sr"), class_="when-idle")
    stop = tag("span", icon("stop", 20), tag("span", pen("chat.stop"), class_="sr"), class_="when-running")
    return tag(
        "form",
        tag("label", pen("ui.message"), for_="message", class_="sr"),
        tag(
            "textarea", id="message", name="text", rows=1, maxlength=4000, placeholder=pen("chat.placeholder"), autocomplete="off"
        ),
        submit("say", joined((send, stop)), kind="round", id="send"),
        class_="composer",
        data_form="say",
        id="composer",
    )
