"""Seat wishes: noted, recalled, forgotten, and named when they are used."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.domain.understanding import Intent, Polarity, Position, Scope, SeatWish, Strength
from assistant.wording import Said, saying
from graphs.nodes.dialogue_turn import Move, Turn

WHERE = frozenset({Position.WINDOW, Position.AISLE, Position.MIDDLE, Position.ANY})  # one seat has only one of these


def wished(turn: Turn) -> Move:
    """What the message says or asks about seats; wishes to be stored go along."""
    stated = [w for w in turn.heard.wishes if not w.forget]
    taken_back = _taken_back(turn)
    told = [*_noted(stated)]
    if turn.has(Intent.FORGET_WISH) or taken_back:
        told.append(_forgotten(taken_back))
    if turn.has(Intent.RECALL_WISH):
        told.append(recalled(_in_force(turn.wishes, [*taken_back, *stated])))
    stored = [w.model_dump(mode="json") for w in (*taken_back, *stated)]
    return Move(told=tuple(told), keeps={"wishes": stored} if stored else {})


def recalled(wishes: Iterable[SeatWish]) -> Said:
    named = [phrase(w) for w in wishes]
    return saying("wishes.are", wishes=named) if named else saying("wishes.none")


def phrase(wish: SeatWish) -> Said:
    kind = "avoid" if wish.polarity is Polarity.AVOID else "must" if wish.strength is Strength.MUST else "want"
    said = saying(f"wish.{kind}", position=wish.position)
    if wish.whose:
        return saying("wish.of_other", whose=wish.whose, wish=said)
    return saying("wish.this_trip", wish=said) if wish.scope is Scope.TRIP else said


def bare(wish: SeatWish) -> Said:
    """Without whose and for how long."""
    return phrase(wish.model_copy(update={"whose": None, "scope": Scope.ALWAYS}))


def _noted(stated: list[SeatWish]) -> Iterable[Said]:
    own = [w for w in stated if not w.whose]
    always, once = ([w for w in own if w.scope is scope] for scope in (Scope.ALWAYS, Scope.TRIP))
    if any(w.position is Position.ANY for w in own):
        yield saying("wishes.any")
    elif always:
        yield saying("wishes.kept", wishes=[bare(w) for w in always])
    if once and not any(w.position is Position.ANY for w in own):
        yield saying("wishes.kept_once", wishes=[bare(w) for w in once])
    for whose in dict.fromkeys(w.whose for w in stated if w.whose):
        yield saying("wishes.kept_other", whose=whose, wishes=[bare(w) for w in stated if w.whose == whose])


def _taken_back(turn: Turn) -> list[SeatWish]:
    """The wishes named to be forgotten; all that count, where none is named."""
    named = [w for w in turn.heard.wishes if w.forget]
    everything = any(w.position is Position.ANY for w in named)
    if not everything and (named or not turn.has(Intent.FORGET_WISH)):
        return named
    return [SeatWish(**w.model_dump(include=set(SeatWish.model_fields)) | {"forget": True}) for w in turn.wishes]


def _forgotten(wishes: list[SeatWish]) -> Said:
    return saying("wishes.forgotten", wishes=[phrase(w) for w in wishes]) if wishes else saying("wishes.nothing_to_forget")


def _in_force(stored: Iterable[SeatWish], said_now: list[SeatWish]) -> list[SeatWish]:
    """What counts after this message: a later place on the row replaces an earlier one."""
    standing: list[SeatWish] = []
    for wish in (*stored, *said_now):
        standing = [w for w in standing if not _replaces(wish, w)]
        if not wish.forget:
            standing.append(wish)
    return standing


def _replaces(later: SeatWish, earlier: SeatWish) -> bool:
    if later.whose != earlier.whose:
        return False
    both_places = {later.position, earlier.position} <= WHERE and later.polarity is earlier.polarity is Polarity.WANT
    return later.position is earlier.position or (both_places and not later.forget)
