"""What is offered in the place of something unclear can be told apart."""

from __future__ import annotations

import pytest

from assistant.domain.understanding import Intent, Language, Place, Slots, Unsure
from tests.graphs.talking import Conversation, understood


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_airports_of_one_city_are_told_apart(language: Language) -> None:
    nowhere = Unsure(slot="origin", reason="no_airport", text="Ascot", candidates=("LHR", "LGW", "LTN"))
    means = understood(Intent.SEARCH, language=language, slots=Slots(origin=Place(text="Ascot")), unsure=(nowhere,))
    state = await Conversation().say("From Ascot", means)
    text = state["reply"]["text"]
    labels = [o["say"] for o in state["reply"]["options"]]
    assert len(set(labels)) == len(labels)
    assert len(labels) == 2
    assert all(label in text for label in labels)
