"""An airline for tests, demos and first runs: it speaks the same wire format as the real one and fails as the real one may."""

from .airline import SandboxAirline
from .books import Terms

__all__ = ["SandboxAirline", "Terms"]
