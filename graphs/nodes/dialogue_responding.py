"""A reviewer's question answered in the traveller's own words: said back, and sent with the choice after a yes."""

from __future__ import annotations

from assistant.domain.understanding import Intent
from assistant.wording import saying
from graphs.nodes.dialogue_changing import YES_NO
from graphs.nodes.dialogue_turn import Move, Turn

LONGEST = 1000
NO_ANSWER = (Intent.OUT_OF_SCOPE, Intent.ASK_PERSON, Intent.SMALLTALK)


def responded(turn: Turn, *, spoken: bool) -> Move:
    """Only right after the question, and only where the message was nothing else."""
    if turn.asked != "respond" or turn.proposal is None or spoken or turn.has(*NO_ANSWER):
        return Move()
    message = turn.text[:LONGEST]
    proposal = {**turn.proposal, "payload": {"answer": "resubmit", "message": message}}
    told = (saying("respond.confirm", message=message),)
    return Move(told=told, options=YES_NO, keeps={"proposal": proposal, "asked": "proposal"})
