"""The one shape of every plain value: frozen, strict about names, JSON in and out."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """Immutable, compared by content; an unknown field is an error, not a silence."""

    model_config = ConfigDict(frozen=True, extra="forbid")
