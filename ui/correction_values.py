"""Corrections as values: what their JSON Schema asks for, what stands in a form, and the patch, which is only what changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from assistant.places import airport

Schema = Mapping[str, Any]
Fields = Mapping[str, Any]
HIDDEN: Final = frozenset(
    {("Slots", "airline_names"), ("Slots", "min_stops"), ("When", "text"), ("Passengers", "names")}
)  # follow from others, or are only words
MOST_ROWS: Final = 12


@dataclass(frozen=True)
class Node:
    """A schema with its references followed: `name` is its title, `variants` the values it may have besides None."""

    schema: Schema
    root: Schema

    def at(self, key: str) -> Node:
        return Node(self.schema["properties"][key], self.root).plain

    @property
    def items(self) -> Node:
        return Node(cast("Schema", self.schema.get("items", {})), self.root).plain

    @property
    def plain(self) -> Node:
        """Without references and without None."""
        schema = self.schema
        if "anyOf" in schema:
            kinds = [Node(s, self.root).plain.schema for s in schema["anyOf"] if s.get("type") != "null"]
            words = [w for k in kinds for w in (k.get("enum") or ([k["const"]] if "const" in k else []))]
            chosen = {**kinds[0], "enum": words} if words else next((k for k in kinds if k.get("type") == "number"), kinds[0])
            schema = {**chosen, "format": schema["format"]} if "format" in schema else chosen
        if "allOf" in schema:
            schema = schema["allOf"][0]
        if "$ref" in schema:
            return Node(self.root["$defs"][schema["$ref"].rsplit("/", 1)[1]], self.root).plain
        return Node(schema, self.root)

    @property
    def properties(self) -> list[str]:
        title = str(self.schema.get("title"))
        return [name for name in self.schema.get("properties", {}) if (title, name) not in HIDDEN]

    @property
    def title(self) -> str:
        return str(self.schema.get("title", ""))

    @property
    def kind(self) -> str:
        schema = self.schema
        if schema.get("enum") is not None:
            return "enum"
        if schema.get("type") == "array":
            return {"object": "rows", "place": "places", "enum": "ticks"}.get(self.items.kind, "list")
        if schema.get("type") == "object":
            return "place" if self.title == "Place" else "object"
        return str(schema.get("format") if schema.get("format") in {"date", "time"} else schema.get("type", "string"))


def values_of(schema: Schema, fields: Fields, before: Mapping[str, Any]) -> dict[str, Any]:
    """Every property as it stands in the form; without a form, as it was."""
    root = Node(schema, schema)
    if not any(name.startswith("c.") for name in fields):
        return dict(before)
    return {name: _read(root.at(name), name, name, fields, before.get(name)) for name in root.properties}


def patch_of(schema: Schema, values: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """What differs from before. A row that was added and not filled in counts for nothing."""
    root = Node(schema, schema)
    complete = {n: _complete(root.at(n), values[n]) for n in root.properties if n in values}
    return {name: v for name, v in complete.items() if not _same(v, before.get(name))}


def _same(a: Any, b: Any) -> bool:
    return (_nothing(a) and _nothing(b)) or _bare(a) == _bare(b)


def _nothing(value: Any) -> bool:
    return value is None or value in ("", [], (), {})


def _complete(node: Node, value: Any) -> Any:
    if node.kind != "rows":
        return value
    needed = node.items.schema.get("required", ())
    return [row for row in cast("list[dict[str, Any]]", value or []) if all(row.get(n) for n in needed)]


def _read(node: Node, name: str, path: str, fields: Fields, before: Any) -> Any:
    raw = fields.get(f"c.{path}")
    text = str(raw).strip() if raw is not None and not isinstance(raw, list) else ""
    match name, node.kind:
        case "seats", _:
            return _read_seats(path, fields)
        case _, "object":
            return _read_object(node, path, fields, before)
        case _, "rows":
            count = _number(fields.get(f"c.{path}.#")) or 0
            rows = [_read_object(node.items, f"{path}.{i}", fields, None) for i in range(min(int(count), MOST_ROWS))]
            return [row for row in rows if row]
        case _, "ticks":
            return _several(raw)
        case _, "list" if node.items.kind == "integer":
            numbers = [_number(t) for t in (_several(raw) if isinstance(raw, list) else re.split(r"[,，\s]+", text))]
            return [int(n) for n in numbers if n is not None]
        case _, "list":
            return [t for t in re.split(r"[,，、\s]+", text) if t]
        case _, "place" | "places":
            found = [_place(code.upper(), before) for code in re.split(r"[,，\s]+", text) if code]
            return found if node.kind == "places" else found[0] if found else None
        case _, "boolean":
            return {"yes": True, "no": False}.get(text)
        case _, "integer":
            return _number(text)
        case _:
            return text or None


def _read_object(node: Node, path: str, fields: Fields, before: Any) -> dict[str, Any] | None:
    old = dict(before) if isinstance(before, Mapping) else {}
    read = {p: _read(node.at(p), p, f"{path}.{p}", fields, old.get(p)) for p in node.properties}
    if not _bare(read):
        return None
    whole = old | read
    return {k: v for k, v in whole.items() if v is not None or k in old}


def _read_seats(path: str, fields: Fields) -> dict[str, dict[str, str]]:
    seats: dict[str, dict[str, str]] = {}
    for name, value in fields.items():
        if (at := re.fullmatch(rf"c\.{path}\.([1-9])\.([1-9])", name)) and isinstance(value, str) and value:
            seats.setdefault(at[1], {})[at[2]] = value
    return seats


def _several(raw: Any) -> list[Any]:
    return [v for v in (cast("list[Any]", raw) if isinstance(raw, list) else [raw]) if v not in (None, "")]


def _number(text: Any) -> int | None:
    try:
        return int(str(text))
    except ValueError:
        return None


def _place(code: str, before: Any) -> dict[str, Any]:
    """The place it was, where its code is still the same."""
    olds = cast("list[Any]", before) if isinstance(before, list) else [before] if before else []
    same = next((old for old in olds if code in (old.get("codes") or ())[:1]), None)
    return dict(same) if same else {"text": code, "kind": "airport" if airport(code) else "metro", "codes": [code]}


def _bare(value: Any) -> Any:
    """Without what says nothing, and times without seconds, so that equal things compare equal."""
    if isinstance(value, Mapping):
        inner = {str(k): _bare(v) for k, v in cast("Mapping[Any, Any]", value).items()}
        return {k: v for k, v in inner.items() if not _nothing(v)}
    if isinstance(value, list | tuple):
        return [_bare(v) for v in cast("Sequence[Any]", value)]
    if isinstance(value, str) and re.fullmatch(r"\d\d:\d\d:\d\d", value):
        return value[:5]
    return value
