"""Where to, when, who and how: what one message says of a trip, in both languages. Sentences of our own."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest

from assistant.domain.understanding import Intent, Place, Slots, TripType, Understanding, When
from assistant.language.interpreter import Heard, HeardMessage
from assistant.language.rules.interpreter import understood

TUESDAY = datetime(2026, 12, 1, 9, tzinfo=UTC)


def said(
    text: str, *, asked: str | None = None, before: str = "?", draft: Slots | None = None, now: datetime = TUESDAY
) -> Understanding:
    recent = (HeardMessage(role="assistant", text=before, asked=asked),) if asked or before != "?" else ()
    return understood(Heard(text=text, recent=recent, draft=draft or Slots(), now=now, timezone="UTC"))


def ends(u: Understanding) -> str:
    """`OSL BGO`: the first airport of each end, `-` where there is none."""
    return " ".join(place.codes[0] if place and place.codes else "-" for place in (u.slots.origin, u.slots.destination))


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("fly from JFK to EWR tomorrow", "JFK EWR"),
        ("PVD-RAI", "PVD RAI"),
        ("sfo to hnd", "SFO HND"),
        ("I need to get from Nashville to Denver", "BNA DEN"),
        ("to Rome from Lisbon", "LIS FCO"),
        ("leaving Sacramento for Honolulu", "SMF HNL"),
        ("Philly to Vegas", "PHL LAS"),
        ("a flight between Oslo and Bergen", "OSL BGO"),
        ("out of LA, into SF", "LAX SFO"),
        ("Portland, ME to Portland, OR", "PWM PDX"),
        ("from Vancouver, BC to London, UK", "YVR LHR"),
        ("I'm in Toronto and want to visit Halifax", "YYZ YHZ"),
        ("my destination is Oslo, I start from Hong Kong", "HKG OSL"),
        ("from Newark airport to O'Hare", "EWR ORD"),
        ("New York JFK to Paris Charles de Gaulle", "JFK CDG"),
        ("flights from Bostn to Sacremento", "BOS SMF"),
        ("上海飞东京", "PVG HND"),
        ("从虹桥去首都机场", "SHA PEK"),
        ("我想从西安到三亚", "XIY SYX"),
        ("去昆明，从贵阳走", "KWE KMG"),
        ("沈阳到海口的机票", "SHE HAK"),
        ("臺北飛大阪", "TPE KIX"),
        ("从 Shanghai 飞 Osaka", "PVG KIX"),
        ("我在深圳，想去清迈玩", "SZX CNX"),
        ("重庆出发，到拉萨", "CKG LXA"),
        ("纽约—伦敦", "JFK LHR"),
        ("我要去浦东机场坐飞机到新加坡", "PVG SIN"),
        ("uh, from Cincinnati to, um, Omaha", "CVG OMA"),
        ("my departure city is Kansas City and my arrival city is San Antonio", "MCI SAT"),
        ("I'd like to go to Hawaii, Honolulu to be exact, from Raleigh-Durham", "RDU HNL"),
        ("从昆明去西双版纳", "KMG JHG"),
        ("要不去丽江吧，从厦门走", "XMN LJG"),
    ],
)
def test_both_ends_of_a_trip_are_heard(text: str, route: str) -> None:
    assert ends(said(text)) == route


@pytest.mark.parametrize(
    ("text", "asked", "route"),
    [
        ("JFK.", "origin", "JFK -"),
        ("Detriot", "origin", "DTW -"),
        ("Boston please", "destination", "- BOS"),
        ("厦门", "destination", "- XMN"),
        ("上海吧", "origin", "PVG -"),
        ("From Geneva", "destination", "GVA -"),
    ],
)
def test_a_bare_place_answers_the_question_before_it(text: str, asked: str, route: str) -> None:
    assert ends(said(text, asked=asked)) == route


def test_a_stopover_is_no_destination() -> None:
    u = said("from Frankfurt via Dubai to Sydney")
    assert (ends(u), [p.text for p in u.slots.stopovers]) == ("FRA SYD", ["Dubai"])
    u = said("从成都出发，经昆明到丽江")
    assert (ends(u), [p.text for p in u.slots.stopovers]) == ("TFU LJG", ["昆明"])


def test_a_place_turned_down_is_not_taken() -> None:
    assert ends(said("leave from Oakland instead of San Francisco")) == "OAK -"
    assert ends(said("是去长沙不是去长春")) == "- CSX"


def test_two_places_for_one_end_are_both_told() -> None:
    u = said("想去杭州或者苏州，从北京走")
    assert ends(u) == "PEK HGH"
    assert [(d.slot, d.reason) for d in u.unsure] == [("destination", "several")]


def test_the_other_way_round_swaps_the_ends() -> None:
    draft = said("from Oslo to Bergen").slots
    assert ends(said("no, the other way round", draft=draft)) == "BGO OSL"


def test_a_misspelt_city_is_said_back() -> None:
    u = said("I want to fly to Barcelna from Munich")
    assert ends(u) == "MUC BCN"
    assert [(d.slot, d.reason, d.candidates) for d in u.unsure] == [("destination", "misspelt", ("BCN",))]


def test_a_city_without_an_airport_names_those_near_it() -> None:
    u = said("one ticket to Vancouver, WA")
    assert [(d.reason, d.candidates) for d in u.unsure] == [("no_airport", ("PDX",))]


FRIDAY_NEXT = ("2026-12-11", "2026-12-11")


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("下周五去上海", FRIDAY_NEXT),
        ("这周五去上海", ("2026-12-04", "2026-12-04")),
        ("周五去上海", ("2026-12-04", "2026-12-04")),
        ("下下周一", ("2026-12-14", "2026-12-14")),
        ("大后天走", ("2026-12-04", "2026-12-04")),
        ("12月24号出发", ("2026-12-24", "2026-12-24")),
        ("十八号去", ("2026-12-18", "2026-12-18")),
        ("１８号去", ("2026-12-18", "2026-12-18")),
        ("下个月3号", ("2027-01-03", "2027-01-03")),
        ("月底走", ("2026-12-26", "2026-12-31")),
        ("下个月初", ("2027-01-01", "2027-01-07")),
        ("周末去", ("2026-12-05", "2026-12-06")),
        ("五一", ("2027-05-01", "2027-05-05")),
        ("国庆", ("2027-10-01", "2027-10-07")),
        ("春节", ("2027-02-05", "2027-02-12")),
        ("端午节", ("2027-06-09", "2027-06-09")),
        ("中秋", ("2027-09-15", "2027-09-15")),
        ("大年初三", ("2027-02-08", "2027-02-08")),
        ("三天后", ("2026-12-04", "2026-12-04")),
        ("next Friday", FRIDAY_NEXT),
        ("Friday next week", FRIDAY_NEXT),
        ("this Friday", ("2026-12-04", "2026-12-04")),
        ("on the 5th", ("2026-12-05", "2026-12-05")),
        ("December 24th", ("2026-12-24", "2026-12-24")),
        ("24 Dec", ("2026-12-24", "2026-12-24")),
        ("12/24", ("2026-12-24", "2026-12-24")),
        ("March 3rd", ("2027-03-03", "2027-03-03")),
        ("the day after tomorrow", ("2026-12-03", "2026-12-03")),
        ("in two weeks", ("2026-12-15", "2026-12-15")),
        ("this weekend", ("2026-12-05", "2026-12-06")),
        ("early February", ("2027-02-01", "2027-02-10")),
        ("New Year's Eve", ("2026-12-31", "2026-12-31")),
        ("next month", ("2027-01-01", "2027-01-31")),
    ],
)
def test_days_are_counted_from_the_travellers_own(text: str, days: tuple[str, str]) -> None:
    when = said(text, asked="depart").slots.depart
    assert when
    assert (str(when.date_from), str(when.date_to)) == days


def test_the_travellers_zone_decides_which_day_is_today() -> None:
    late = datetime(2026, 12, 1, 20, tzinfo=UTC)
    for zone, day in (("UTC", date(2026, 12, 2)), ("Asia/Shanghai", date(2026, 12, 3))):
        when = understood(Heard(text="tomorrow to Osaka", now=late, timezone=zone)).slots.depart
        assert when
        assert when.date_from == day


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Tuesday or Wednesday of next week", ("2026-12-08", "2026-12-09")),
        ("下周三或者周四", ("2026-12-09", "2026-12-10")),
        ("23、24号都行", ("2026-12-23", "2026-12-24")),
        ("周五之前", ("2026-12-01", "2026-12-04")),
    ],
)
def test_several_days_will_do(text: str, days: tuple[str, str]) -> None:
    when = said(text, asked="depart").slots.depart
    assert when
    assert (str(when.date_from), str(when.date_to)) == days


def test_next_friday_may_mean_this_one_and_is_asked_back() -> None:
    doubt = said("to Oslo next Friday").unsure[0]
    assert (doubt.slot, doubt.reason, doubt.candidates) == ("depart", "ambiguous", ("2026-12-04", "2026-12-11"))
    on_a_friday = datetime(2026, 12, 4, 9, tzinfo=UTC)
    assert said("to Oslo next Friday", now=on_a_friday).unsure == ()


@pytest.mark.parametrize("text", ["leave on February 30", "2月30号走"])
def test_a_day_that_does_not_exist_is_no_day(text: str) -> None:
    u = said(text, asked="depart")
    assert not (u.slots.depart and u.slots.depart.date_from)
    assert u.unsure[0].candidates == ("2027-02-28", "2027-03-01")


@pytest.mark.parametrize("text", ["I leave yesterday", "昨天走", "last Monday"])
def test_a_day_gone_by_is_doubted(text: str) -> None:
    assert said(text, asked="depart").unsure[0].reason == "past_date"


@pytest.mark.parametrize(
    ("text", "there", "back"),
    [
        ("leaving Dec 30, coming back Jan 4", "2026-12-30", "2027-01-04"),
        ("from the 5th to the 8th", "2026-12-05", "2026-12-08"),
        ("out on the 28th and return on the 3rd", "2026-12-28", "2027-01-03"),
        ("go on Friday, return Monday", "2026-12-04", "2026-12-07"),
        ("March 2-10", "2027-03-02", "2027-03-10"),
        ("leaving on the 20th for five days", "2026-12-20", "2026-12-25"),
        ("12月10号去，12月20号回", "2026-12-10", "2026-12-20"),
        ("周五走，下周一返回", "2026-12-04", "2026-12-07"),
        ("国庆去大理玩五天", "2027-10-01", "2027-10-06"),
        ("明天去后天回", "2026-12-02", "2026-12-03"),
    ],
)
def test_the_way_back_is_told_from_the_way_out(text: str, there: str, back: str) -> None:
    slots = said(text).slots if "大理" in text else said(text, asked="depart").slots
    assert slots.depart
    assert slots.return_
    assert (str(slots.depart.date_from), str(slots.return_.date_from)) == (there, back)


def test_a_bare_day_answers_when_to_return() -> None:
    slots = said(
        "the 9th", asked="return", draft=Slots(depart=When(date_from=date(2026, 12, 20), date_to=date(2026, 12, 20)))
    ).slots
    assert slots.depart is None
    assert slots.return_
    assert slots.return_.date_from == date(2027, 1, 9)


@pytest.mark.parametrize(
    ("text", "first", "last", "arrive"),
    [
        ("Friday morning.", time(5), time(12), False),
        ("around 9 am", time(8), time(10), False),
        ("after 6pm", time(18), None, False),
        ("before 10:30", None, time(10, 30), False),
        ("at 12 pm", time(12), time(12), False),
        ("at 12 am", time(0), time(0), False),
        ("between 8 am and 11 am", time(8), time(11), False),
        ("arrive by 5 pm", None, time(17), True),
        ("in the morning before 9", time(5), time(9), False),
        ("周三晚上", time(18), time(23, 59), False),
        ("下午三点以后", time(15), None, False),
        ("in the morning after 3pm", time(15), None, False),
        ("早上，晚上8点后", time(20), None, False),
        ("早上八点半左右", time(7, 30), time(9, 30), False),
        ("晚上十点前到", None, time(22), True),
        ("上午9点到11点", time(9), time(11), False),
    ],
)
def test_hours_are_windows_of_the_day(text: str, first: time | None, last: time | None, arrive: bool) -> None:
    when = said(text, asked="depart").slots.depart
    assert when
    assert (when.time_from, when.time_to, when.arrive_by) == (first, last, arrive)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("two people", (2, None, None, ())),
        ("my wife and I are flying to Oslo", (2, None, None, ())),
        ("2 adults, 1 child aged 6", (2, 1, None, (6,))),
        ("one adult and a baby of 10 months", (1, None, 1, (0,))),
        ("just me", (1, None, None, ())),
        ("a family of four", (4, None, None, ())),
        ("three tickets please", (3, None, None, ())),
        ("five of us, including two kids", (3, 2, None, ())),
        ("travelling with 3 others", (4, None, None, ())),
        ("两个人", (2, None, None, ())),
        ("两大一小", (2, 1, None, ())),
        ("三个大人一个5岁的孩子", (3, 1, None, (5,))),
        ("就我自己", (1, None, None, ())),
        ("我和老婆", (2, None, None, ())),
        ("一家三口", (3, None, None, ())),
        ("我带一个8个月的宝宝", (1, None, 1, (0,))),
        ("四张票", (4, None, None, ())),
        ("me and two friends", (3, None, None, ())),
        ("the four of us", (4, None, None, ())),
        ("my wife and I plus our two kids, 8 and 10", (2, 2, None, (8, 10))),
    ],
)
def test_who_travels(text: str, who: tuple[int | None, int | None, int | None, tuple[int, ...]]) -> None:
    people = said(text, asked="passengers").slots.passengers
    assert people
    assert (people.adults, people.children, people.infants, people.ages) == who


def test_one_more_is_counted_on_top() -> None:
    draft = said("two adults", asked="passengers").slots
    for text in ("add one more person", "再加一个人"):
        people = said(text, draft=draft).slots.passengers
        assert people
        assert people.adults == 3


@pytest.mark.parametrize("text", ["I need a ticket to Oslo", "一张去北京的机票", "it is a 2 hour flight", "only one stop please"])
def test_an_article_or_another_number_counts_nobody(text: str) -> None:
    assert said(text).slots.passengers is None


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("in business class", "cabin", "business"),
        ("a first seat to Rome", "cabin", "first"),
        ("coach will do for me", "cabin", "economy"),
        ("premium economy please", "cabin", "premium_economy"),
        ("any class will do, economy or business", "cabin", "any"),
        ("坐头等舱", "cabin", "first"),
        ("公务舱", "cabin", "business"),
        ("超级经济舱", "cabin", "premium_economy"),
        ("舱位无所谓", "cabin", "any"),
        ("nonstop to Oslo", "max_stops", 0),
        ("no layovers", "max_stops", 0),
        ("at most one stop", "max_stops", 1),
        ("要直飞的航班", "max_stops", 0),
        ("不要转机", "max_stops", 0),
        ("最多转一次机的航班，最多1次中转", "max_stops", 1),
        ("one way to Oslo", "trip_type", TripType.ONE_WAY),
        ("往返机票", "trip_type", TripType.ROUND_TRIP),
        ("refundable tickets only", "refundable", True),
        ("要可退的票", "refundable", True),
        ("fly with Lufthansa", "airlines", ("LH",)),
        ("东航或者国航的航班", "airlines", ("MU", "CA")),
        ("flight MU5101", "flight_number", "MU5101"),
    ],
)
def test_what_the_flight_has_to_be(text: str, name: str, value: object) -> None:
    assert getattr(said(text, before="What else matters?").slots, name) == value


@pytest.mark.parametrize(
    "text",
    [
        "Is it a business class ticket?",
        "I'm on a business trip to Oslo",
        "公务舱和经济舱有什么区别",
        "does it have one stop?",
        "are those tickets refundable?",
    ],
)
def test_a_question_about_an_offer_changes_nothing_of_the_search(text: str) -> None:
    slots = said(text, before="Here are two flights.").slots
    assert (slots.cabin, slots.max_stops, slots.min_stops, slots.refundable) == (None, None, None, None)


@pytest.mark.parametrize(
    ("text", "cap"),
    [
        ("under $450", "450 USD"),
        ("no more than 300 euros", "300 EUR"),
        ("up to £1,200", "1200 GBP"),
        ("below two grand", "2000 USD"),
        ("2000元以下", "2000 CNY"),
        ("不超过三千块", "3000 CNY"),
        ("预算一万五", "15000 CNY"),
        ("五百美元以内", "500 USD"),
        ("under 1000.50 yen", "1000 JPY"),
        ("under $0.123456789", "0.12 USD"),
        ("under ₩100000.5", "100000 KRW"),
        ("under $0", "None"),
    ],
)
def test_a_price_cap_knows_its_currency(text: str, cap: str) -> None:
    assert str(said(text, asked="cap").slots.cap) == cap


def test_everything_in_one_breath_and_two_languages() -> None:
    u = said("book 两张 from 上海 to London next Friday, 商务舱, nonstop, window seat, under 20000元")
    assert ends(u) == "PVG LHR"
    slots = u.slots
    assert slots.passengers
    assert slots.passengers.count == 2
    assert (slots.cabin, slots.max_stops, str(slots.cap)) == ("business", 0, "20000 CNY")
    assert [w.position.value for w in u.wishes] == ["window"]
    assert {Intent.SEARCH, Intent.STATE_WISH} <= set(u.intents)


def test_a_correction_names_what_it_replaces() -> None:
    draft = Slots(
        depart=When(date_from=date(2026, 12, 10), date_to=date(2026, 12, 10)), origin=Place(text="Oslo", codes=("OSL",))
    )
    u = said("no, I meant Friday", draft=draft)
    assert u.slots.depart
    assert u.slots.depart.date_from == date(2026, 12, 4)
    assert u.corrected == ("depart",)
    assert Intent.CHANGE in u.intents
