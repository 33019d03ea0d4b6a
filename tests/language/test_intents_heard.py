"""What a traveller wants to happen, and what was pointed at. Sentences of our own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from assistant.domain.flights import Cabin, Fare, Segment
from assistant.domain.money import Money
from assistant.domain.understanding import Intent, Topic, Understanding
from assistant.language.interpreter import Heard, HeardMessage, ShownOptions
from assistant.language.rules.interpreter import understood

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


def fare(carrier: str, number: str, hour: int, total: int, *, hours: int = 3) -> Fare:
    departs = datetime(2026, 12, 11, hour, 10)
    segment = Segment(
        carrier=carrier,
        flight_number=number,
        origin="PVG",
        destination="HND",
        departs=departs,
        arrives=departs + timedelta(hours=hours),
        minutes=hours * 60,
    )
    money = Money(amount=Decimal(total), currency="CNY")
    return Fare(segments=(segment,), cabin=Cabin.ECONOMY, fare_brand="Basic", total=money, passengers=1)


SHOWN = (
    ShownOptions(
        trip_id="t1", fares=(fare("MU", "523", 9, 1900), fare("NH", "920", 13, 1500, hours=5), fare("CA", "157", 18, 2300))
    ),
)


def said(
    text: str, *, asked: str | None = None, before: str | None = None, shown: tuple[ShownOptions, ...] = ()
) -> Understanding:
    recent = (HeardMessage(role="assistant", text=before or "?", asked=asked),) if asked or before else ()
    return understood(Heard(text=text, recent=recent, shown=shown, now=NOW, timezone="UTC"))


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Yes, please do!",
        "sure, go ahead",
        "sounds great, thanks",
        "Perfect.",
        "ok let's book it",
        "that works for me",
        "好的",
        "可以",
        "行",
        "没问题，就这个",
        "对",
        "确认",
        "嗯，订吧",
    ],
)
def test_yes_is_a_yes(text: str) -> None:
    assert Intent.CONFIRM in said(text, asked="proposal").intents


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "No, leave it",
        "not yet",
        "nope",
        "I don't think so",
        "that's wrong",
        "不",
        "不要",
        "先不订",
        "不用了",
        "算了",
        "不对",
    ],
)
def test_no_is_a_no(text: str) -> None:
    intents = said(text, asked="proposal").intents
    assert Intent.DECLINE in intents
    assert Intent.CONFIRM not in intents


@pytest.mark.parametrize("text", ["no more than one stop", "No later than 9 pm", "不错", "不过要靠窗", "不知道"])
def test_a_word_of_refusal_inside_is_no_refusal(text: str) -> None:
    assert Intent.DECLINE not in said(text, asked="proposal").intents


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("I need a flight to Oslo", Intent.SEARCH),
        ("帮我查下周一去昆明的机票", Intent.SEARCH),
        ("Has my trip been approved yet?", Intent.ASK_STATUS),
        ("what's the status of my booking", Intent.ASK_STATUS),
        ("我的票订好了吗", Intent.ASK_STATUS),
        ("现在进度怎么样", Intent.ASK_STATUS),
        ("cancel my trip to Rome", Intent.CANCEL),
        ("取消去上海的行程", Intent.CANCEL),
        ("把回程退了吧", Intent.CANCEL),
        ("change my flight to Monday", Intent.CHANGE),
        ("改成周四走", Intent.CHANGE),
        ("which one is cheaper?", Intent.COMPARE),
        ("compare the first two", Intent.COMPARE),
        ("哪个更便宜", Intent.COMPARE),
        ("Let me talk to a human", Intent.ASK_PERSON),
        ("转人工", Intent.ASK_PERSON),
        ("hello", Intent.SMALLTALK),
        ("thanks a million", Intent.SMALLTALK),
        ("你好", Intent.SMALLTALK),
        ("谢谢", Intent.SMALLTALK),
    ],
)
def test_what_is_wanted(text: str, intent: Intent) -> None:
    assert intent in said(text, before="How can I help with your trip?").intents


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("how much is it?", Topic.PRICE),
        ("can I take two suitcases?", Topic.BAGGAGE),
        ("are those tickets refundable?", Topic.REFUND),
        ("how long can you hold it?", Topic.HOLD),
        ("what time does it land?", Topic.TIME),
        ("how long is the flight?", Topic.DURATION),
        ("how many stops are on the way?", Topic.STOPS),
        ("which airport does it leave from?", Topic.AIRPORT),
        ("what's my booking reference?", Topic.REFERENCE),
        ("多少钱", Topic.PRICE),
        ("行李额是多少", Topic.BAGGAGE),
        ("能退吗，可以退票吗", Topic.REFUND),
        ("几点到", Topic.TIME),
        ("要飞多久", Topic.DURATION),
        ("在哪个机场起飞", Topic.AIRPORT),
        ("订单号是多少", Topic.REFERENCE),
    ],
)
def test_what_a_question_is_about(text: str, topic: Topic) -> None:
    u = said(text, before="Here is a flight.")
    assert Intent.ASK_FACT in u.intents
    assert topic in u.topics


@pytest.mark.parametrize(
    "text",
    [
        "book me a hotel in Rome",
        "what's the weather like in Oslo tomorrow",
        "I need a rental car in Denver",
        "do I need a visa for Brazil",
        "reserve a table for two at eight",
        "how do you say hello in Japanese",
        "who wrote Hamlet",
        "order a pizza",
        "you are useless",
        "play some music",
        "what time is it in London",
        "帮我订个酒店",
        "附近有什么好吃的餐馆",
        "从王府井到故宫怎么坐地铁",
        "明天北京天气怎么样",
        "帮我叫一辆去机场的出租车",
        "讲个笑话",
        "故宫门票多少钱",
        "今天股票涨了吗",
        "帮我买一张去天津的高铁票",
        "我的行李丢了",
        "全国一共有多少个机场",
        "坐飞机可以带充电宝吗",
        "航班延误有没有赔偿",
        "东航和南航哪个服务好",
        "why are flights so expensive these days",
        "may I bring my cat on board",
        "which airline serves the best food",
    ],
)
def test_what_we_do_not_sell_starts_no_search(text: str) -> None:
    assert Intent.SEARCH not in said(text).intents


def test_several_requests_in_one_message_are_all_heard() -> None:
    u = said("Yes, book it, and how many bags can I take? I'd like an aisle seat.", asked="proposal")
    assert {Intent.CONFIRM, Intent.ASK_FACT, Intent.STATE_WISH} <= set(u.intents)
    u = said("好的，就订这个，另外行李多少公斤？", asked="proposal")
    assert {Intent.CONFIRM, Intent.ASK_FACT} <= set(u.intents)


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("the second one", 2),
        ("option 3", 3),
        ("I'll take the first flight", 1),
        ("2", 2),
        ("the last one", -1),
        ("the cheapest one please", 2),
        ("book the fastest one", 1),
        ("the latest one", 3),
        ("the 9:10 one", 1),
        ("the ANA flight", 2),
        ("I want CA157", 3),
        ("第二个", 2),
        ("选第三张", 3),
        ("最便宜的那个", 2),
        ("最早的那班", 1),
        ("最后一个", -1),
        ("下午一点十分那班", 2),
        ("国航那班", 3),
        ("就要9:10那个", 1),
    ],
)
def test_an_option_is_picked_out_of_the_list(text: str, n: int) -> None:
    u = said(text, asked="offer", shown=SHOWN)
    assert [r.n for r in u.references] == [n]
    assert Intent.CHOOSE in u.intents
    assert u.slots.depart is None


def test_the_same_flight_again_and_seats_by_number() -> None:
    assert said("the same flight, please", shown=SHOWN).references[0].same
    assert said("同一班", shown=SHOWN).references[0].same
    assert said("can we have 14A and 14B?", shown=SHOWN).references[0].seats == ("14A", "14B")
    assert said("the second one on the way back", shown=SHOWN).references[0].trip == "return"


def test_the_8th_answers_a_day_where_a_day_was_asked() -> None:
    u = said("The 8th", asked="depart")
    assert u.references == ()
    assert u.slots.depart
    assert u.slots.depart.date_from
    assert u.slots.depart.date_from.day == 8


def test_a_message_without_words_keeps_the_language_of_the_talk() -> None:
    assert said("2", before="请问选哪个？").language == "zh"
    assert said("JFK", before="请问从哪里出发？").language == "zh"
    assert said("2", before="Which one?").language == "en"


@pytest.mark.parametrize(
    ("question", "answer", "slot"),
    [
        ("Which city will you be leaving from?", "Geneva", "origin"),
        ("And where would you like to go?", "Geneva", "destination"),
        ("What day do you want to leave?", "Friday", "depart"),
        ("When are you coming back?", "Friday", "return_"),
        ("How many people are travelling?", "3", "passengers"),
        ("请问您从哪里出发？", "成都", "origin"),
        ("请问您的目的地是哪里？", "成都", "destination"),
        ("您打算哪天出发？", "周五", "depart"),
        ("哪天返程？", "周五", "return_"),
        ("一共几位乘客？", "三", "passengers"),
    ],
)
def test_the_words_of_a_question_say_what_the_answer_is(question: str, answer: str, slot: str) -> None:
    assert getattr(said(answer, before=question).slots, slot) is not None
