"""What a traveller and a reviewer read, in both languages, with every text escaped."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from assistant.domain.trips import TripStatus
from assistant.domain.understanding import Language
from assistant.views.shapes import ConversationView, MessageView, Option, QuestionView, Reader
from assistant.wording.catalogue import keys
from tests.ui.scenery import NOW, RITA, cny
from tests.ui.stage import Stage
from ui.cards import TONES, trip_card, trips_panel
from ui.chat import conversation_list, transcript
from ui.decision import review_detail
from ui.drafts import Draft
from ui.editing import Editing
from ui.faces import Preview
from ui.inbox import review_list
from ui.offers import check
from ui.pen import Pen

LANGUAGES: tuple[Language, ...] = get_args(Language)
READER = Reader(tenant_id="demo", user_id="tina")
HOSTILE = '<img src=x onerror="alert(1)">'
EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf]")


def pen(language: Language, *, sandbox: bool = True) -> Pen:
    return Pen(language, "Asia/Shanghai", NOW, sandbox)


def plain(markup: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", markup))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", ["searching", "choosing", "waiting", "asked", "booked"])
async def test_a_trip_in_any_state_reads_in_one_language(language: Language, scene: str) -> None:
    stage = Stage(language=language, scene=scene)
    people = await stage.people(READER)
    read = plain(trips_panel(stage.trips(), {}, {}, people, (), pen(language)))
    assert not EMOJI.search(read)
    if language == "en":
        assert not re.search("[\u4e00-\u9fff]", read.replace("陈婷", "").replace("李伟", ""))


def test_every_status_has_its_tone() -> None:
    assert set(TONES) == set(TripStatus)


def test_every_sentence_the_pages_use_is_in_the_catalogue() -> None:
    known = set(keys())
    used = {
        key
        for file in Path("ui").glob("*.py")
        for key in re.findall(r'"((?:ui|card|chat|review|page)\.[a-z_0-9]+)"', file.read_text())
    }
    assert used - known == set()
    drawn = {k for k in known if k.startswith("ui.")}
    patterns = {p for file in Path("ui").glob("*.py") for p in re.findall(r'f"(ui\.[a-z_]+)\{', file.read_text())}
    assert {k for k in drawn - used if not any(k.startswith(p) for p in patterns)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_before_submitting_everything_is_on_one_card(language: Language) -> None:
    stage = Stage(language=language)
    trip = stage.trips()[0]
    read = plain(check(trip, Draft(offer=1, offers_hash="h1", stage="check"), trip.offers[0], (), pen(language)))
    for fact in ("TING CHEN", "WEI LI", "MU523", "09:20", "13:05", "PVG", "NRT", "14A", "14B", "2,860.00", "300.00"):
        assert fact in read
    said = {
        "zh": ("周五", "浦东机场", "每人1件托运行李", "不可退票", "审批人", "免费留位", "座位没了"),
        "en": ("Fri 12 Mar", "Airport", "1 checked bag each", "Not refundable", "reviewer", "Held free", "if the seat is gone"),
    }
    for fact in said[language]:
        assert fact in read


def test_nobody_is_submitted_without_a_name() -> None:
    trip = Stage(named=False).trips()[0]
    drawn = check(trip, Draft(offer=1, offers_hash="h1"), trip.offers[0], (), pen("en"))
    assert re.search(r"<button[^>]*data-do=\"choose\"[^>]*disabled", drawn)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pause_says_what_waits_on_whom_since_when_and_until_when(language: Language) -> None:
    trip = Stage(language=language, scene="waiting").trips()[0]
    drawn = trip_card(trip, Draft(), (), (), pen(language))
    read = plain(drawn)
    assert "Rita Wang" in read
    assert "13:56" in read  # since, in the reader's zone
    assert {"zh": "3月3日周三 12:00（还剩22小时）", "en": "Wed 3 Mar 12:00 (22 h left)"}[language] in read
    assert 'data-do="withdraw"' in drawn


def test_under_fifteen_minutes_the_words_change_and_not_only_the_colour() -> None:
    trip = Stage(scene="asked").trips()[0]
    assert "only 9 min left" in plain(trip_card(trip, Draft(), (), (), pen("en")))
    later = trip.model_copy(update={"held_until": NOW + timedelta(hours=2)})
    assert "(2 h left)" in plain(trip_card(later, Draft(), (), (), pen("en")))


def test_what_the_airline_has_not_said_is_not_a_no() -> None:
    stage = Stage()
    trip = stage.trips()[0]
    silent = trip.offers[0].fare.model_copy(update={"refund": trip.offers[0].fare.refund.model_copy(update={"allowed": None})})
    read = plain(check(trip, Draft(offer=1, offers_hash="h1"), trip.offers[0].model_copy(update={"fare": silent}), (), pen("en")))
    assert "the airline has not said" in read
    assert "Not refundable" not in read


@pytest.mark.parametrize(("sandbox", "said"), [(True, 1), (False, 0)])
def test_a_booking_of_the_sandbox_says_that_it_is_no_ticket(sandbox: bool, said: int) -> None:
    trip = Stage(scene="booked").trips()[0]
    read = plain(trip_card(trip, Draft(), (), (), pen("en", sandbox=sandbox)))
    assert read.count("Sandbox: no real ticket") == said
    assert "QX7M2K" in read
    assert "781-2400511820" in read


def test_a_question_that_made_things_worse_is_answered_with_yes_or_no() -> None:
    trip = Stage(scene="asked").trips()[0]
    question = QuestionView(question_id="q", node="agree", digest="d9", differences=("Total 100 more", HOSTILE))
    drawn = trip_card(trip.model_copy(update={"question": question}), Draft(), (), (), pen("en"))
    assert "<img" not in drawn
    assert drawn.count('data-digest="d9"') == 2


def test_messages_of_anybody_are_text() -> None:
    messages = tuple(
        MessageView(message_id=f"m{i}", role=role, text=HOSTILE, at=NOW) for i, role in enumerate(("user", "assistant"))
    )
    view = ConversationView(
        conversation_id="c1", title=HOSTILE, archived=False, owner_id="tina", messages=messages, trips=(), wishes=(), running="k"
    )
    assert "<img" not in transcript(view, pen("en"), writing=HOSTILE)


async def test_titles_of_conversations_are_text() -> None:
    rows = await Stage(title=HOSTILE).conversations(READER)
    assert "<img" not in conversation_list(rows, "c1", pen("en"))


def test_an_answer_offers_at_most_two_buttons() -> None:
    options = tuple(Option(label=f"o{i}", say=f"o{i}") for i in range(4))
    message = MessageView(message_id="m", role="assistant", text="x", at=NOW, options=options)
    view = ConversationView(
        conversation_id="c", title=None, archived=False, owner_id="t", messages=(message,), trips=(), wishes=()
    )
    assert transcript(view, pen("en")).count('data-do="say"') == 2
    notice = MessageView(message_id="n", role="assistant", text="A trip was taken back.", at=NOW)
    assert transcript(view.model_copy(update={"messages": (message, notice)}), pen("en")).count('data-do="say"') == 2
    said = MessageView(message_id="u", role="user", text="no", at=NOW)
    assert transcript(view.model_copy(update={"messages": (message, said)}), pen("en")).count('data-do="say"') == 0


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_review_says_what_happens_why_and_by_whose_words(language: Language) -> None:
    stage = Stage(language=language, actor=RITA)
    review = await stage.review(READER, "r1")
    maps = await stage.seat_maps(READER, "t1", 1)
    drawn = review_detail(review, Editing(), None, maps, pen(language))
    for text in (
        review.sentence,
        *(c.text for c in review.checks),
        *(s.text for s in review.plan.steps),
        *review.traveller_words,
    ):
        assert text in plain(drawn)
    assert {"zh": "通过 ¥2,860.00", "en": "Approve 2,860.00 CNY"}[language].replace(" CNY", "\u00a0CNY") in drawn
    assert {"zh": "按回车通过", "en": "Enter to approve"}[language] in drawn


async def test_an_edit_is_approved_as_an_edit_with_its_own_digest() -> None:
    stage = Stage(actor=RITA)
    review = await stage.review(READER, "r1")
    editing = Editing(seats={"1": {"1": "20F"}})
    preview = await stage.preview_edit(RITA, "r1", editing.edits)
    drawn = review_detail(review, editing, preview, await stage.seat_maps(READER, "t1", 1), pen("en"))
    assert 'data-digest="edited-20F"' in drawn
    assert "Approve edits" in drawn
    assert "<del>14A</del>" in drawn
    assert "<ins>20F</ins>" in drawn


async def test_an_edit_without_a_preview_cannot_be_approved() -> None:
    review = await Stage(actor=RITA).review(READER, "r1")
    drawn = review_detail(review, Editing(seats={"1": {"1": "20F"}}), None, (), pen("en"), error="Seat 20F is taken")
    assert re.search(r'<button[^>]*data-do="approve"[^>]*disabled', drawn)
    assert "Seat 20F is taken" in drawn


@pytest.mark.parametrize(
    ("language", "why"),
    [("zh", "这是您自己的航程，需要别人审批"), ("en", "This is your own trip; somebody else has to approve it")],
)
async def test_beside_the_buttons_of_ones_own_trip_stands_why_none_can_be_pressed(language: Language, why: str) -> None:
    review = await Stage(language=language, actor=RITA).review(READER, "r1")
    form = review_detail(review, Editing(), None, (), pen(language)).partition('class="decision"')[2]
    assert 'data-do="claim"' in form
    assert why not in form
    own = review_detail(review.model_copy(update={"mine": True}), Editing(), None, (), pen(language))
    assert own.count(why) == 1
    form = own.partition('class="decision"')[2]
    assert re.search(rf'id="own-trip"[^§]*{why}', form)
    buttons = re.findall(r"<button[^>]*>", form)
    assert [re.findall(r'data-do="(\w+)"', each) for each in buttons] == [["approve"], ["reject"], ["respond"]]
    assert all(" disabled" in each and 'aria-describedby="own-trip"' in each for each in buttons)


async def test_a_decided_review_has_no_buttons() -> None:
    review = await Stage(actor=RITA).review(READER, "r1")
    done = review.model_copy(update={"status": "answered", "answer": "approve", "decided_by": "Li Wei", "decided_at": NOW})
    drawn = review_detail(done, Editing(), None, (), pen("en"))
    assert "data-do=" not in drawn
    assert "Already decided by Li Wei at 14:00" in plain(drawn)


async def test_texts_of_a_review_are_text() -> None:
    review = await Stage(actor=RITA).review(READER, "r1")
    hostile = review.model_copy(
        update={"sentence": HOSTILE, "traveller": HOSTILE, "traveller_words": (HOSTILE,), "notes": (HOSTILE,)}
    )
    assert "<img" not in review_detail(hostile, Editing(), Preview(review.plan, "d", True, ()), (), pen("en"))


async def test_only_what_is_within_policy_can_be_ticked_for_approval_together() -> None:
    rows = await Stage(actor=RITA).reviews(READER)
    drawn = review_list(rows, "r1", "waiting", {"waiting": len(rows)}, pen("en"))
    assert re.search(r'data-tick="r3"[^>]*disabled', drawn)
    assert not re.search(r'data-tick="r1"[^>]*disabled', drawn)


def test_money_that_comes_back_has_its_sign() -> None:
    assert pen("en").signed(cny("-120")) == "\N{MINUS SIGN}120.00\N{NO-BREAK SPACE}CNY"
