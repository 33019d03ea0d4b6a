"""Seat talk: what is a wish, for whom, how strong, and what only sounds like one. Sentences of our own."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from assistant.domain.understanding import Intent, Scope, SeatWish, Strength
from assistant.language.interpreter import Heard, HeardMessage
from assistant.language.rules.interpreter import understood

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


def heard(text: str, *, asked: str | None = None) -> Heard:
    recent = (HeardMessage(role="assistant", text="?", asked=asked),) if asked else ()
    return Heard(text=text, recent=recent, now=NOW, timezone="UTC")


def told(wish: SeatWish) -> str:
    """`want window`, `avoid aisle must`, `want front trip`, `want aisle for my wife`, `forget window`."""
    words = ["forget" if wish.forget else wish.polarity.value, wish.position.value]
    words += ["must"] if wish.strength is Strength.MUST else []
    words += ["trip"] if wish.scope is Scope.TRIP else []
    return " ".join([*words, *(["for", wish.whose] if wish.whose else [])])


WANTED = [
    ("Window seat, please.", "want window"),
    ("I'd love a window", "want window"),
    ("Could I have an aisle seat?", "want aisle"),
    ("Put me by the window if you can", "want window"),
    ("isle seat would be great", "want aisle"),
    ("I usually sit on the aisle", "want aisle"),
    ("An exit row would be perfect for my long legs", "want exit"),
    ("I want extra legroom", "want extra_legroom"),
    ("somewhere near the front of the plane", "want front"),
    ("Seat me towards the back", "want back"),
    ("I like the back row", "want back"),
    ("We'd like to sit together", "want together"),
    ("Two seats next to each other please", "want together"),
    ("Can you seat us side by side?", "want together"),
    ("a window seat near the front", "want window | want front"),
    ("A bulkhead seat, thanks", "want extra_legroom"),
    ("window or aisle", "want window | want aisle"),
    ("I don't mind paying for more legroom", "want extra_legroom"),
    ("Get me an aisle in the front section", "want aisle | want front"),
    ("front row if there is one", "want front"),
    ("我要靠窗", "want window"),
    ("给我一个靠过道的座位", "want aisle"),
    ("想坐窗边", "want window"),
    ("我喜欢坐在过道旁边", "want aisle"),
    ("帮我选靠前的位置", "want front"),
    ("坐后排就行", "want back"),
    ("要紧急出口那一排", "want exit"),
    ("腿部空间大一点的座位", "want extra_legroom"),
    ("我们三个想坐在一起", "want together"),
    ("两个座位要挨着", "want together"),
    ("靠窗、靠前", "want window | want front"),
    ("麻烦安排一个临窗的位子", "want window"),
    ("第一排有吗，想坐第一排", "want front"),
    ("我跟我女儿要连座", "want together"),
    ("靠窗或者靠过道", "want window | want aisle"),
    ("選靠窗的座位", "want window"),
    ("走道位，谢谢", "want aisle"),
]
AVOIDED = [
    ("Anything but the middle", "avoid middle"),
    ("Not the aisle", "avoid aisle"),
    ("Please don't put me in a middle seat", "avoid middle"),
    ("I can't stand sitting in the middle", "avoid middle"),
    ("No window seats for me", "avoid window"),
    ("I'd rather not sit by the window", "avoid window"),
    ("avoid the back of the plane", "avoid back"),
    ("Any seat except the middle one", "avoid middle"),
    ("keep me away from the exit row", "avoid exit"),
    ("I never sit in the back row", "avoid back must"),
    ("neither the middle nor the aisle", "avoid middle | avoid aisle"),
    ("I don't want a window or an aisle seat", "avoid window | avoid aisle"),
    ("I hate the aisle, people bump into me", "avoid aisle"),
    ("Middle seats make me anxious", "avoid middle"),
    ("just not the middle", "avoid middle"),
    ("不要中间的座位", "avoid middle"),
    ("别给我靠过道的", "avoid aisle"),
    ("我不想坐后排", "avoid back"),
    ("除了中间哪里都行", "avoid middle"),
    ("我不喜欢靠窗", "avoid window"),
    ("千万别把我放中间", "avoid middle must"),
    ("讨厌坐中间", "avoid middle"),
    ("不要靠窗也不要靠过道", "avoid window | avoid aisle"),
    ("不能坐紧急出口", "avoid exit"),
    ("受不了中间位", "avoid middle"),
    ("最怕坐后面的座位", "avoid back"),
]
BOTH = [
    ("Window, not aisle", "want window | avoid aisle"),
    ("I want the aisle but not at the back", "want aisle | avoid back"),
    ("not the window, give me an aisle", "avoid window | want aisle"),
    ("Aisle please, anything but the middle", "want aisle | avoid middle"),
    ("window or aisle, never the middle", "want window | want aisle | avoid middle must"),
    ("不要靠窗，要靠过道", "avoid window | want aisle"),
    ("要靠窗，不要后排", "want window | avoid back"),
    ("我喜欢过道，讨厌中间", "want aisle | avoid middle"),
    ("别给我中间，靠窗最好", "avoid middle | want window"),
    ("we want to be together, no middle seats", "want together | avoid middle"),
]
STRONG = [
    ("I must have an aisle seat", "want aisle must"),
    ("It has to be a window", "want window must"),
    ("I need the aisle for medical reasons", "want aisle must"),
    ("Only window seats", "want window must"),
    ("We absolutely have to sit together", "want together must"),
    ("一定要靠窗", "want window must"),
    ("必须坐过道", "want aisle must"),
    ("只要靠窗的", "want window must"),
    ("绝对不要中间", "avoid middle must"),
    ("务必让我们坐一起", "want together must"),
    ("尽量靠窗吧", "want window"),
    ("最好是过道", "want aisle"),
    ("ideally a window", "want window"),
    ("an aisle if possible", "want aisle"),
    ("非靠窗不可", "want window must"),
]
SCOPED = [
    ("This time I'd like the aisle", "want aisle trip"),
    ("just for this flight, a window seat", "want window trip"),
    ("For this trip put me up front", "want front trip"),
    ("window on the way back", "want window trip"),
    ("这次想靠过道", "want aisle trip"),
    ("这趟坐前排吧", "want front trip"),
    ("本次航班要靠窗", "want window trip"),
    ("这次不要靠窗", "avoid window trip"),
    ("I always want the aisle", "want aisle"),
    ("From now on, window seats only", "want window must"),
    ("以后都给我靠窗", "want window"),
    ("我每次都坐过道", "want aisle"),
]
OTHERS = [
    ("My wife wants a window seat", "want window for my wife"),
    ("She prefers the aisle", "want aisle for she"),
    ("an aisle for my father", "want aisle for my father"),
    ("My son hates the middle", "avoid middle for my son"),
    ("Give my mother an aisle seat, and I take the window", "want aisle for my mother | want window"),
    ("he would like to sit in an exit row", "want exit for he"),
    ("my husband needs extra legroom", "want extra_legroom must for my husband"),
    ("她想坐靠窗", "want window for 她"),
    ("我老婆要靠过道，我要靠窗", "want aisle for 我老婆 | want window"),
    ("我妈不能坐后排", "avoid back for 我妈"),
    ("给我爸一个靠过道的座位", "want aisle for 我爸"),
    ("孩子想靠窗", "want window for 孩子"),
    ("他喜欢前排", "want front for 他"),
    ("I want to sit with my wife", "want together"),
    ("next to my daughter please", "want together"),
    ("我要和我妈坐一起", "want together"),
]
MIND_CHANGED = [
    ("Window. Actually, make that an aisle", "want aisle"),
    ("aisle, no wait, window", "want window"),
    ("I said window but I mean aisle, sorry: aisle", "want aisle"),
    ("Scratch that, I'd like the window instead", "want window"),
    ("Actually I'd rather sit on the aisle", "want aisle"),
    ("On second thought, window", "want window"),
    ("靠窗，算了还是靠过道吧", "want aisle"),
    ("还是靠窗吧", "want window"),
    ("不对，要过道", "want aisle"),
    ("换成靠过道的", "want aisle"),
    ("座位改成靠窗", "want window"),
]
EITHER = [
    ("Window or aisle, either is fine", "want any"),
    ("any seat is fine", "want any"),
    ("I don't care where I sit", "want any"),
    ("No seat preference", "want any"),
    ("Anywhere is fine as long as I get a seat", "want any"),
    ("坐哪儿都行", "want any"),
    ("座位随便", "want any"),
    ("靠窗还是过道都可以", "want any"),
    ("位置无所谓", "want any"),
    ("随便坐", "want any"),
    ("any seat, just not the middle", "avoid middle | want any"),
]
FORGOTTEN = [
    ("Forget my seat preference", "forget any"),
    ("forget what I said about the window", "forget window"),
    ("Please delete my seating preferences", "forget any"),
    ("I don't need the aisle any more", "forget aisle"),
    ("never mind the window seat", "forget window"),
    ("No longer need extra legroom", "forget extra_legroom"),
    ("Forget the window, give me an aisle", "forget window | want aisle"),
    ("忘了我的座位偏好吧", "forget any"),
    ("别再记我想坐哪了", "forget any"),
    ("不用靠窗了", "forget window"),
    ("把我的座位偏好删掉", "forget any"),
    ("取消靠窗的要求", "forget window"),
    ("不需要坐一起了", "forget together"),
    ("清除座位偏好", "forget any"),
]
COMPLAINTS = [
    ("Last time you stuck me in the middle, it was awful", "avoid middle"),
    ("I was squeezed into a middle seat for nine hours", "avoid middle"),
    ("They gave me the back row again, terrible", "avoid back"),
    ("You always give me a middle seat", "avoid middle"),
    ("上次坐中间，挤死我了", "avoid middle"),
    ("每次都给我中间的位子，烦死了", "avoid middle"),
    ("上回坐后排难受得不行", "avoid back"),
    ("I had a window last time and loved it", "want window"),
]
MIXED = [
    ("我要 window seat", "want window"),
    ("book 一个 aisle seat 给我", "want aisle"),
    ("不要 middle seat", "avoid middle"),
    ("window 或者 aisle 都行", "want any"),
    ("我老婆要 window seat，我坐 aisle", "want window for 我老婆 | want aisle"),
    ("下周五去东京，window seat，谢谢", "want window"),
    ("I want 靠窗 please", "want window"),
]
NO_WISH = [
    "I want a first class seat",
    "a first seat to Rome please",
    "a business seat if there is one",
    "book a seat on 482",
    "Is it a window seat?",
    "Do I have an aisle seat?",
    "The legroom better be decent",
    "reserve two seats for us",
    "sometime in the middle of June",
    "what is the booking window?",
    "I hope I won't be next to a screaming toddler",
    "I don't mind the middle",
    "请帮我预订两个座位",
    "有没有舒服一点的座位",
    "经济舱还有座位吗",
    "月中间走",
    "要在中间转一次机",
    "商务舱的座位能躺平吗",
    "前天我问过你",
    "然后去柏林",
    "hello",
    "back on Friday, please",
    "I'm back home on the 4th",
]
RECALLS = [
    "Where did I say I wanted to sit?",
    "Which seat did I ask for?",
    "what's my seat preference?",
    "Do you remember where I like to sit?",
    "did I say window or aisle?",
    "what did I tell you about my seat?",
    "Remind me which seat I wanted",
    "what seat preferences do you have for me?",
    "我刚才说想坐哪里？",
    "我说过喜欢坐哪儿吗？",
    "我之前要的是什么座位？",
    "还记得我想坐哪吗",
    "我的座位偏好是什么",
    "我喜欢坐哪里来着",
    "我刚刚说我要坐哪",
]

ALL = [*WANTED, *AVOIDED, *BOTH, *STRONG, *SCOPED, *OTHERS, *MIND_CHANGED, *EITHER, *FORGOTTEN, *COMPLAINTS, *MIXED]


@pytest.mark.parametrize(("text", "wishes"), ALL)
def test_a_sentence_says_these_wishes_and_no_other(text: str, wishes: str) -> None:
    assert " | ".join(told(w) for w in understood(heard(text)).wishes) == wishes


@pytest.mark.parametrize("text", NO_WISH)
def test_what_only_sounds_like_a_seat_is_no_wish(text: str) -> None:
    assert understood(heard(text)).wishes == ()


@pytest.mark.parametrize("text", RECALLS)
def test_asking_what_was_said_recalls_and_states_nothing(text: str) -> None:
    said = understood(heard(text))
    assert Intent.RECALL_WISH in said.intents
    assert said.wishes == ()


@pytest.mark.parametrize("text", [text for text, _ in FORGOTTEN])
def test_taking_a_wish_back_is_understood_as_forgetting(text: str) -> None:
    assert Intent.FORGET_WISH in understood(heard(text)).intents


@pytest.mark.parametrize(
    ("text", "wishes"), [("either", "want any"), ("aisle", "want aisle"), ("都行", "want any"), ("窗边", "want window")]
)
def test_one_word_answers_the_question_where_to_sit(text: str, wishes: str) -> None:
    assert " | ".join(told(w) for w in understood(heard(text, asked="seat")).wishes) == wishes


@pytest.mark.parametrize("text", [text for text, _ in MIND_CHANGED])
def test_a_change_of_mind_is_said_to_replace_what_was_said(text: str) -> None:
    assert "seat" in understood(heard(text)).corrected
