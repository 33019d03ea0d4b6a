"""What people may answer a trip's questions with; LangGraph checks it before anything is stored."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Answer(BaseModel):
    """`command_id` is the command that answers. A non-empty object always: LangGraph reads `{}` as no answer.

    `until` is the deadline of the question, where it has one, in ISO 8601: what was agreed to is not begun after it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    command_id: str
    until: str | None = None


class ChooseAnswer(Answer):
    """`selection` is a Selection; `change` goes back to the list, `ask` leaves it to people.

    `resubmit` sends the same again, or the selection given, where other people were named since.
    """

    answer: Literal["choose", "resubmit", "change", "ask"]
    selection: dict[str, Any] | None = None
    settle: str | None = None
    by: str = ""
    message: str | None = None


class AgreeAnswer(Answer):
    answer: Literal["agree", "decline"]


class ReviewAnswer(Answer):
    """`plan` is the hash of the plan decided on; `selection` and `settle` are an edit's.

    `author` is the user whose edit is not to be approved by themselves alone.
    """

    type: Literal["approve", "edit", "reject", "respond", "expire"]
    plan: str
    by: str = ""
    message: str | None = None
    selection: dict[str, Any] | None = None
    settle: str | None = None
    author: str | None = None


class OutcomeAnswer(Answer):
    """Carries nothing: the ledger answers."""

    known: bool = True
