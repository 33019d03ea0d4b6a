"""Finishing a run: messages, versions, read models, questions and follow-ups in one transaction, all or none."""

from .follow import FORKS
from .run import Finishing
from .turn import write_user_message

__all__ = ["FORKS", "Finishing", "write_user_message"]
