"""Which part each named place plays: origin, destination, stopover, or none of the trip's. The words around it decide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...domain.understanding import Place, Slots
from . import route_words as cues
from . import scope
from .mentions import Mention, nearest_spelling
from .route_words import Part
from .text import Text


@dataclass
class Route:
    """The places of one message by the part they play, in the order they were named."""

    origin: list[Mention] = field(default_factory=list[Mention])
    destination: list[Mention] = field(default_factory=list[Mention])
    stopover: list[Mention] = field(default_factory=list[Mention])
    loose: list[Mention] = field(default_factory=list[Mention])  # named, but no word says what for
    weak: list[Mention] = field(default_factory=list[Mention])  # may be a place, may be a word
    denied: list[Mention] = field(default_factory=list[Mention])  # "not from Boston"

    def of(self, part: Part) -> list[Mention]:
        return self.origin if part == "origin" else self.destination if part == "destination" else self.stopover

    @property
    def placed(self) -> bool:
        return bool(self.origin or self.destination or self.stopover)


def route(text: Text, mentions: Sequence[Mention], *, asked: frozenset[str], draft: Slots) -> Route:
    """Give every mention its part. `asked`: what the message before asked for, so that a bare "Boston" is an answer."""
    out, previous, previous_part = Route(), None, None
    for i, mention in enumerate(mentions):
        following = mentions[i + 1] if i + 1 < len(mentions) else None
        part = _part(text, mention, previous, previous_part, following, out)
        if part == "denied":
            out.denied.append(mention)
            part = None
        elif part and _believed(text, mention, part):
            _place(text, out, mention, part, previous)
        else:
            part = None
            if mention.strong:
                out.loose.append(mention)
            elif not mention.word:
                out.weak.append(mention)
        previous, previous_part = mention, part
    _replace_denied(out, draft)
    _answer(text, out, asked)
    if not (out.origin and out.destination):
        out.origin, out.destination = [m for m in out.origin if not m.guess], [m for m in out.destination if not m.guess]
    if len(out.loose) == 1 and not out.placed and not draft.destination and _alone(text, out.loose[0]):
        out.destination, out.loose = out.loose, []
    return out


def _alone(text: Text, mention: Mention) -> bool:
    """Nothing but the place was said: somebody wants to go there."""
    rest = text.low[: mention.start] + text.low[mention.end :]
    return len(rest.replace("please", "").strip(" .!?,。，！？吧呢的")) < 3


def _replace_denied(out: Route, draft: Slots) -> None:
    """ "Boston has too few flights, Providence?": the loose place takes the part of the one turned down."""
    both: tuple[tuple[Part, Place | None], ...] = (("origin", draft.origin), ("destination", draft.destination))
    for part, place in both:
        if (
            place
            and out.loose
            and not out.of(part)
            and any(place.codes and m.known and m.known[0].codes == place.codes for m in out.denied)
        ):
            out.of(part).append(out.loose.pop(0))


def _part(
    text: Text, mention: Mention, previous: Mention | None, previous_part: Part | None, following: Mention | None, out: Route
) -> Part | Literal["denied"] | None:
    left = text.before(mention.start)
    between = text.low[previous.end : mention.start] if previous else None
    if (
        cues.EN_NOT.search(left)
        or cues.ZH_NOT.search(left)
        or (cues.ZH_TOO_FEW.match(text.after(mention.end)) and not re.search(r"[去到从飞]$", left))
    ):
        return "denied"
    if between is not None and previous_part and _continues(between, previous_part):
        if previous_part == "origin" and cues.EN_BETWEEN.search(text.before(previous.start if previous else 0)):
            return "destination"
        return previous_part
    if between is not None and previous and (cues.EN_LINK.fullmatch(between) or cues.ZH_LINK.fullmatch(between)):
        if previous_part is None and previous in (*out.loose, *out.weak):
            out.loose = [m for m in out.loose if m is not previous]
            out.origin.append(previous)
            return "destination"
        if previous_part == "origin":
            return "destination"
    if between is not None and previous_part == "origin" and cues.EN_ONWARD.fullmatch(between):
        return "destination"
    if back := cues.EN_BACK.search(left):
        return "destination" if back["way"] == "from" else "origin" if not out.origin else None
    if cues.EN_BETWEEN.search(left):
        return "origin"
    return _by_words(text, mention, left, following)


def _continues(between: str, part: Part) -> bool:
    """ "or", "、" between two places: the second plays the part of the first, unless it has a cue of its own."""
    if (english := cues.EN_ALSO.fullmatch(between)) and english["cue"]:
        return english["cue"].strip() == ("from" if part == "origin" else "to")
    if (chinese := cues.ZH_ALSO.fullmatch(between)) and chinese["cue"]:
        return (chinese["cue"] == "从") == (part == "origin")
    return bool(english or chinese)


def _by_words(text: Text, mention: Mention, left: str, following: Mention | None) -> Part | None:
    right = text.after(mention.end)
    if cues.ZH_RIGHT_STOP.match(right):
        return "stopover"
    if re.match(r"(?:坐|搭|乘)(?:飞机|机|航班)|登机", right):
        return "origin"
    if cues.ZH_RIGHT_ORIGIN.match(right) and not re.search(r"(?:去|到|飞)$", left):
        return "origin"
    if following and cues.ZH_LINK.fullmatch(text.low[mention.end : following.start]) and not re.search(r"[去到飞往经转]$", left):
        return "origin"
    for part, cue in cues.EN_LEFT + cues.ZH_LEFT:
        if cue.search(left):
            return part
    if cues.EN_RIGHT_ORIGIN.match(right):
        return "origin"
    if cues.EN_RIGHT_DESTINATION.match(right) or cues.ZH_RIGHT_DESTINATION.match(right):
        return "destination"
    return None


def _believed(text: Text, mention: Mention, part: Part) -> bool:
    """A weak name counts only where the words before it are the trip's own."""
    if mention.strong or mention.misspelt:
        return True
    if mention.word:
        return False
    return (
        part == "stopover"
        or bool(re.search(r"(?:\b(?:from|to|between|and)\s+|[从到去飞往至]|-)$", text.before(mention.start)))
        or "\u4e00" <= text.low[mention.start] <= "\u9fff"
    )


def _place(text: Text, out: Route, mention: Mention, part: Part, previous: Mention | None) -> None:
    same = out.of(part)
    if any(m.known[:1] == mention.known[:1] and m.known for m in same):
        return
    if same and _within(mention, same[-1]):
        same[-1] = mention
        return
    between = text.low[previous.end : mention.start] if previous else ""
    if part == "destination" and same and (cues.EN_THEN.search(between) or "再" in between or "然后" in between):
        out.stopover.extend(same)
        same.clear()
    elif same and cues.CORRECTS.search(between):
        same.clear()
    same.append(mention)


def _within(mention: Mention, wider: Mention) -> bool:
    """ "Hawaii, Honolulu to be exact": the second place is in the first."""
    if not mention.known or not wider.known or wider.known[0].kind not in ("region", "country"):
        return False
    inner, outer = mention.known[0], wider.known[0]
    return set(inner.codes) <= set(outer.codes) or (bool(inner.region) and inner.region == outer.region)


def _answer(text: Text, out: Route, asked: frozenset[str]) -> None:
    """Places no word explains answer the question, in the order of the question; not those at the end of another tale."""
    if not out.placed and not scope.flying(text):
        out.loose = [m for m in out.loose if _early(text, m)]
    wanted: list[Part] = [part for part in ("origin", "destination") if part in asked and not out.of(part)]
    if len(wanted) == 1 and out.loose:
        out.of(wanted[0]).extend(out.loose)
        out.loose = []
    elif wanted and len(out.loose) == 2 and _continues(text.low[out.loose[0].end : out.loose[1].start], "destination"):
        out.of(wanted[-1]).extend(out.loose)
        out.loose = []
    elif len(wanted) == 2 and len(out.loose) == 2:
        out.origin, out.destination, out.loose = [out.loose[0]], [out.loose[1]], []


def _early(text: Text, mention: Mention) -> bool:
    left = text.before(mention.start)
    return len(left.split()) <= 4 and len(left) < 30


def swaps(text: Text) -> bool:
    """ "The other way round": the two ends change places."""
    return bool(cues.SWAPS.search(text.low))


def corrects(text: Text) -> bool:
    """The message takes something back: "no, I meant", "改成"."""
    return bool(cues.CORRECTS.search(text.low))


_MOST_GUESSES = 6  # comparing a spelling with every city takes a millisecond
_EN_UNKNOWN = re.compile(r"\b(from|to|in|at|for|visit|visiting) ([A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})?)")
_EN_ANSWERED = re.compile(r"\W*(?:(?:from|to|in|at|it's|it is) )?([A-Z][a-z]{3,}(?: [A-Z][a-z]{2,})?)\W*")
_EN_UNKNOWN_START = re.compile(r"^\W*([A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})?) to ([A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})?)")
_EN_UNKNOWN_PAIR = re.compile(r"\bfrom ([a-z]{4,}(?: [a-z]{3,})?) to ([a-z]{4,})\b")
_EN_UNKNOWN_SURELY = (
    re.compile(
        r"\b(?:fl(?:y|ies|ying|ights?)|tickets?|travel(?:l?ing)?|trip|seats?)(?: me| us| out| home)? (?:from|to) "
        r"([A-Z][a-z]{3,}(?: [A-Z][a-z]{2,})?)"
    ),
    re.compile(r"\b[Ff]rom ([A-Z][a-z]{3,}) to [A-Z]"),
    re.compile(r"\b[Ff]rom [A-Z][\w .]{2,24}? to ([A-Z][a-z]{3,})"),
)
_ZH_UNKNOWN_ANSWER = re.compile(r"\W*([\u4e00-\u9fff]{2,5})[。！!吧]?\W*")
_ZH_UNKNOWN = (
    re.compile(r"从([\u4e00-\u9fff]{2,4}?)(?=到|去|飞|出发|走)"),
    re.compile(r"(?:从[\u4e00-\u9fff]{2,4})(?:到|去|飞往|飞)([\u4e00-\u9fff]{2,4}?)(?=的|，|。|,|$|出差|机票|航班)"),
)


def unknown(text: Text, taken: Iterable[tuple[int, int]], *, asked: frozenset[str]) -> list[Mention]:
    """Words that stand where a place stands but are none we know: misspelt, or unknown."""
    spans = list(taken)
    free = [(m.start(g), m.end(g)) for m in _EN_UNKNOWN.finditer(text.raw) for g in (2,)]
    free += [(m.start(g), m.end(g)) for m in _EN_UNKNOWN_PAIR.finditer(text.low) for g in (1, 2)]
    free += [m.span(g) for m in _EN_UNKNOWN_START.finditer(text.raw) for g in (1, 2)]
    free += [(m.start(1), m.end(1)) for pattern in _ZH_UNKNOWN for m in pattern.finditer(text.low)]
    if asked & {"origin", "destination"} and 0 < len(text.low.split()) <= 3 and not text.has_han:
        free.append((0, len(text.low.rstrip(" .!,?，。！？"))))
    sure = [m.span(1) for pattern in _EN_UNKNOWN_SURELY for m in pattern.finditer(text.raw)]
    if asked & {"origin", "destination"}:
        sure += [m.span(1) for m in (_EN_ANSWERED.fullmatch(text.raw), _ZH_UNKNOWN_ANSWER.fullmatch(text.low)) if m]
    found: dict[int, Mention] = {}
    for start, end in free[:_MOST_GUESSES]:
        if not any(start < e and s < end for s, e in spans):
            mention = _spelt_like(text, start, end)
            if mention and mention.start not in found:
                found[mention.start] = mention
    for start, end in sure[:_MOST_GUESSES]:
        taken_anyway = any(start < e and s < end for s, e in (*spans, *((m.start, m.end) for m in found.values())))
        if not taken_anyway and not _is_no_name(text.low[start:end]):
            found[start] = Mention(start, end, text.raw[start:end], (), strong=True)
    return list(found.values())


def _is_no_name(words: str) -> bool:
    """Days, months, people and other words that are written with a capital or stand alone as an answer."""
    return bool(cues.NO_NAME.search(words) or cues.ZH_NO_NAME.search(words))


def _spelt_like(text: Text, start: int, end: int) -> Mention | None:
    words = text.raw[start:end].strip()
    if not words:
        return None
    if "\u4e00" <= words[0] <= "\u9fff":
        if cues.ZH_NO_NAME.search(words):
            return None
        return Mention(start, end, words, (), strong=True)
    for spelt in dict.fromkeys((words, words.split()[0], words.split()[-1])):
        if known := nearest_spelling(spelt):
            at = start + words.index(spelt)
            return Mention(at, at + len(spelt), spelt, known, strong=True, misspelt=True)
    return None
