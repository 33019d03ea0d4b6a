"""Every sentence a person reads, in Chinese and English. `Said` is kept and sent; text is made at the edge, per reader."""

from .catalogue import keys
from .rendering import render, say, saying, taken_apart
from .said import Said

__all__ = ["Said", "keys", "render", "say", "saying", "taken_apart"]
