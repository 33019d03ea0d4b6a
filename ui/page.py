"""What every page has around it: the bar at the top, the notice at the bottom, the scripts and the styles."""

from __future__ import annotations

from itertools import count
from typing import Any

from markupsafe import Markup

from assistant.domain.errors import CommandRefused
from assistant.wording.catalogue import has
from assistant.wording.problems import in_words

from .buttons import button
from .faces import SignedIn
from .icons import icon
from .markup import joined, tag
from .pen import Pen
from .static_files import static

_serial = count(1)


def script(path: str, *, pane: str) -> str:
    """The browser's side of the page at `path`; on a narrow screen `pane` is shown first."""
    return static("layover.js").replace("%CHANGES%", f"{path}/me/changes").replace("%PANE%", pane)


def pen_of(who: SignedIn) -> Pen:
    return Pen(who.language, who.timezone, who.now, who.demo)


def top_bar(who: SignedIn, title: str, path: str, links: tuple[tuple[str, str], ...] = ()) -> Markup:
    """Where one is, who one is, and the switches. `links`: address and text of the other pages of this role."""
    pen = pen_of(who)
    other = "en" if who.language == "zh" else "zh"
    here = (
        tag("nav", (tag("a", text, href=href, aria_current="page" if href == path else None) for href, text in links))
        if links
        else None
    )
    switches = (
        button(
            "language",
            icon("language", 18),
            tag("span", pen("page.language"), lang=other),
            kind="bar-button",
            data_value=other,
            data_path=path,
        ),
        button("theme", icon("moon", 18), tag("span", pen("ui.theme"), class_="sr"), kind="bar-button"),
        tag("span", icon("person", 18), tag("span", who.actor.name), class_="me"),
        button("sign_out", icon("out", 18), tag("span", pen("signin.out"), class_="sr"), kind="bar-button", data_path=path),
    )
    paused = pen("page.paused", reason=who.paused or None) if who.paused is not None else None
    return tag(
        "header",
        tag("div", icon("mark", 24), tag("b", pen("page.name")), tag("span", title, class_="where"), class_="brand"),
        here,
        tag("span", pen("page.sandbox"), class_="sandbox") if who.demo else None,
        tag("span", paused, class_="sandbox paused", role="status", title=paused) if paused else None,
        tag("div", switches, class_="switches"),
        tag("div", pen("page.reconnecting"), class_="reconnecting", role="status"),
        class_="bar",
        data_language=who.language,
    )


def notice(text: str, *, tone: str = "info") -> Markup:
    """Said once at the bottom of the page. Each is another text, so that the same words twice are noticed twice."""
    return tag("div", tag("p", text), class_=f"toast {tone}", role="alert" if tone == "warn" else "status", data_n=next(_serial))


def refusal(error: CommandRefused, pen: Pen) -> str:
    """Why a command was refused, in the reader's words."""
    return failure(error.code, error.facts, pen)


def failure(code: str, facts: dict[str, Any], pen: Pen) -> str:
    """The sentence for a code, and what is wrong with each field where that is known."""
    wrong = dict.fromkeys(in_words(facts.get("problems") or {}, pen.language).values())
    return pen("ui.wrong_because", what=_failure(code, facts, pen), why=list(wrong)) if wrong else _failure(code, facts, pen)


def _failure(code: str, facts: dict[str, Any], pen: Pen) -> str:
    key = f"error.{code}"
    if has(key):
        try:
            return pen(key, **facts)
        except KeyError:  # a sentence that wants more facts than this refusal has
            pass
    return pen("ui.did_not_work")


def answered(keys: tuple[str, ...], refused: str | None = None) -> Markup:
    """Tells the browser which keys are done with: answered, or refused and not stored. Never the same text twice."""
    done = (tag("i", data_settled=key) for key in keys)
    return joined((done, tag("i", data_refused=refused) if refused else None, tag("i", data_n=next(_serial))))
