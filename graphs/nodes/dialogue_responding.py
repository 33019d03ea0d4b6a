"""A reviewer's question answered in the traveller's own words: said back, and sent with the choice after a yes."""

from __future__ import annotations

from assistant.domain.understanding import Intent
from assistant.wording import saying
from graphs.nodes.dialogue_changing import YES_NO
from graphs.nodes.dialogue_turn import Move, Turn
from graphs.state import Json

LONGEST = 1000
SOMETHING_ELSE = (
    Intent.CHOOSE, Intent.CHANGE, Intent.CANCEL, Intent.COMPARE, Intent.ASK_FACT, Intent.ASK_STATUS, Intent.ASK_PERSON,
    Intent.RECALL_WISH, Intent.FORGET_WISH,
)  # fmt: skip


def responded(turn: Turn) -> Move:
    """Right after the question everything is its answer that is no request of its own, whatever days and places it names."""
    slots = turn.heard.slots
    new_trip = turn.has(Intent.SEARCH) and slots.origin is not None and slots.destination is not None
    if turn.asked != "respond" or turn.proposal is None or new_trip or turn.has(*SOMETHING_ELSE):
        return Move()
    message = turn.text[:LONGEST]
    proposal = {**turn.proposal, "payload": {"answer": "resubmit", "message": message}}
    kept: Json = {"proposal": proposal, "asked": "proposal", "unsure": []}
    return Move(told=(saying("respond.confirm", message=message),), options=YES_NO, keeps=kept)
