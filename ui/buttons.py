"""Buttons: what a press asks for stands in its data, and one listener in the browser sends it."""

from __future__ import annotations

from markupsafe import Markup

from .markup import tag


def button(do: str, *label: object, kind: str, keyed: bool = False, **attributes: object) -> Markup:
    """`do` names the action; `keyed`: it becomes a command, so the press gets an id that is kept until it is answered."""
    return tag("button", *label, type="button", class_=kind, data_do=do, data_key=keyed, **attributes)


def submit(do: str, *label: object, kind: str = "primary", **attributes: object) -> Markup:
    """The same at the end of a form, whose fields the browser checks first."""
    return tag("button", *label, type="submit", class_=kind, data_do=do, data_key=True, **attributes)
