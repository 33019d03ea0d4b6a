"""The sign-in page: plain HTML, nothing from outside, light and dark, from 390 px on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from urllib.parse import urlencode

from ..domain.understanding import Language
from ..wording import render, say, saying
from .callers import Face
from .early_script import TAGS

ICON = (
    '<svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">'
    '<circle cx="9" cy="9" r="7" fill="none" stroke="currentColor" stroke-width="1.6"/>'
    '<path d="M9 2a7 7 0 0 1 0 14z" fill="currentColor"/></svg>'
)
OTHER: dict[Face, Face] = {"desk": "review", "review": "desk"}


@dataclass(frozen=True)
class SignInPage:
    """`demo` are the people to continue as, with the face each belongs to; `chosen`: the language was picked on the page."""

    face: Face
    language: Language
    nonce: str
    next: str
    wrong: str | None = None
    name: str = ""
    chosen: bool = False
    demo: tuple[tuple[str, Face], ...] = ()

    @property
    def policy(self) -> str:
        return (
            f"default-src 'none'; style-src 'nonce-{self.nonce}'; script-src 'nonce-{self.nonce}'; img-src data:; "
            "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        )

    def html(self) -> str:
        title = f"{say('signin.title', self.language)} · Layover"
        return (
            f'<!doctype html><html lang="{TAGS[self.language]}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">'
            f'<title>{escape(title)}</title><style nonce="{self.nonce}">{asset("sign-in.css")}</style>'
            f'<script nonce="{self.nonce}">{asset("sign-in.js")}</script></head><body class="door"><main>'
            f'{self._header()}<section class="card">{self._form()}{self._demo()}</section>{self._other()}</main></body></html>'
        )

    def _say(self, key: str, **facts: str) -> str:
        return escape(render(saying(key, **facts), self.language))

    def _header(self) -> str:
        other: Language = "en" if self.language == "zh" else "zh"
        switch = escape(urlencode({"lang": other, "next": self.next}))
        return (
            f'<header><b>Layover</b><a id="language" href="?{switch}" lang="{TAGS[other]}">{self._say("page.language")}</a>'
            f'<button id="theme" type="button" aria-label="{self._say("signin.theme")}">{ICON}</button></header>'
        )

    def _form(self) -> str:
        wrong = f'<p class="wrong" role="alert">{escape(self.wrong)}</p>' if self.wrong else ""
        return (
            f"<h1>{self._say('signin.title')}</h1><p>{self._say(f'signin.lead_{self.face}')}</p>{wrong}"
            f'<form method="post" action="/{self.face}/sign-in">{self._hidden(self.next)}'
            f'<label>{self._say("signin.name")}<input name="name" value="{escape(self.name)}" autocomplete="username" '
            'autocapitalize="none" spellcheck="false" required maxlength="64" autofocus></label>'
            f'<label>{self._say("signin.password")}<input name="password" type="password" autocomplete="current-password" '
            f'required maxlength="1024"></label><button id="sign-in" type="submit">{self._say("signin.submit")}</button></form>'
        )

    def _demo(self) -> str:
        if not self.demo:
            return ""
        buttons = "".join(
            f'<form method="post" action="/{face}/sign-in/demo">{self._hidden(self.next if face == self.face else "")}'
            f'<button id="continue-as-{escape(name)}" type="submit" name="name" value="{escape(name)}">'
            f"{self._say('signin.continue_as', name=name.capitalize())}</button></form>"
            for name, face in self.demo
        )
        return f'<div class="demo"><p>{self._say("signin.demo_note")}</p>{buttons}</div>'

    def _hidden(self, next: str) -> str:
        fields = {"next": next, "language": self.language, "chosen": "1" if self.chosen else "", "timezone": ""}
        return "".join(f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in fields.items())

    def _other(self) -> str:
        other = OTHER[self.face]
        return f'<p class="other"><a href="/{other}/">{self._say(f"signin.go_{other}")}</a></p>'


@cache
def asset(name: str) -> str:
    return files("assistant.web").joinpath("static", name).read_text("utf-8")
