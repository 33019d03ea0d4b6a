"""What a run took of a language model: calls, tokens, and what they cost where the price is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from .stopping import Stop

# US dollars for a million tokens: input, input the server had cached, output. List prices of platform.openai.com, standard tier,
# autumn 2025; a server of one's own costs nothing a token, and an unknown model has no price rather than a wrong one.
_PRICES: dict[str, tuple[str, str, str]] = {
    "gpt-4.1": ("2.00", "0.50", "8.00"),
    "gpt-4.1-mini": ("0.40", "0.10", "1.60"),
    "gpt-4.1-nano": ("0.10", "0.025", "0.40"),
    "gpt-4o": ("2.50", "1.25", "10.00"),
    "gpt-4o-mini": ("0.15", "0.075", "0.60"),
    "gpt-5": ("1.25", "0.125", "10.00"),
    "gpt-5-mini": ("0.25", "0.025", "2.00"),
    "gpt-5-nano": ("0.05", "0.005", "0.40"),
}
_MILLION = Decimal(1_000_000)


@dataclass
class Usage:
    """Tokens as the server counts them; a server that counts none leaves them 0."""

    model: str = ""
    priced: bool = False  # the server is the one the price list is of
    calls: int = 0
    failures: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0  # of the input
    output_tokens: int = 0

    def add(self, counted: Mapping[str, Any] | None) -> None:
        """The `usage_metadata` of one answer."""
        counted = counted or {}
        details: Mapping[str, Any] = counted.get("input_token_details") or {}
        self.input_tokens += int(counted.get("input_tokens") or 0)
        self.output_tokens += int(counted.get("output_tokens") or 0)
        self.cached_tokens += int(details.get("cache_read") or 0)

    @property
    def cost(self) -> Decimal | None:
        """In US dollars; None where the price is not known."""
        prices = _PRICES.get(self.model) if self.priced else None
        if prices is None:
            return None
        fresh, cached, out = (Decimal(price) for price in prices)
        paid = (self.input_tokens - self.cached_tokens) * fresh + self.cached_tokens * cached + self.output_tokens * out
        return paid / _MILLION

    def record(self) -> dict[str, Any]:
        """To be kept, JSON-able."""
        cost = self.cost
        return {
            "model": self.model,
            "calls": self.calls,
            "failures": self.failures,
            "input_tokens": self.input_tokens,
            "cached_tokens": self.cached_tokens,
            "output_tokens": self.output_tokens,
            "cost_usd": None if cost is None else f"{cost:f}",
        }


@dataclass
class ModelRun:
    """One run's dealings with a model: how they are stopped, what they took, and whether the model left the work to us."""

    stop: Stop = field(default_factory=Stop)
    usage: Usage = field(default_factory=Usage)
    failed: bool = False
