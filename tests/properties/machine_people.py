"""What people do in the state machine: travellers in words and by hand, reviewers, operators."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from assistant.domain.commands import Command, Kind, Settle
from tests.properties.machine_acts import Json, edited, made_by
from tests.properties.machine_ground import Ground

WISH = "I always want a window seat"
SAYINGS = (
    "From Shanghai to Tokyo on 11 December",
    "11号从上海飞东京",
    "Shanghai to Tokyo on 11 December and back on the 15th",
    "Fly me from London to New York on 12 December, business class",
    "12月20号北京到成都",
    "the second one", "yes", "no", "第一个", "好的",
    WISH, "not too close to the toilets please", "不要靠窗了",
    "cancel it", "取消吧", "make it the 12th instead", "hello?",
)  # fmt: skip
CHANGES: tuple[Json, ...] = (
    {"offer": 1},
    {"offer": 2},
    {"offer": 3},
    {"request": {"depart_on": "2026-12-13"}},
    {"offer": 2, "settle": "keep_both"},
    {"seats": {"1": {"1": "31C"}}, "settle": "rebook"},
    {"seats": {"1": {"1": "32C"}}, "settle": "by_hand"},
    {"seats": {"1": {"1": "12A"}}, "settle": "keep"},
    {"offer": 1, "settle": "replace"},
)
CORRECTIONS = (
    None,
    None,
    None,
    {"offer": 2},
    {"offer": 1},
    {"ask": "reviewer"},
    {"text": SAYINGS[1]},
    {"exclude": [1]},
    {"depart_on": "2026-12-14"},
)
SETTLES = (None, None, *get_args(Settle))
SPANS = (1, 3, 10, 60, 700, 3600, 7200, 90_000)
RIVALS = ("approve", "approve", "reject", "respond", "cancel", "revise", "rewind")
few = st.integers(0, 11)


class People(Ground):
    """Numbers drawn name a thing by its place among what there is."""

    # Travellers

    def arrives(self, offer: int, text: str) -> None:
        self.does("tina", Kind.CREATE_CONVERSATION, "")
        self.says(0, text)
        if offer and self.sight.waiting("choose"):
            self.chooses(0, offer, None)

    @precondition(lambda self: self.sight.waiting("choose") or self.sight.waiting("review"))
    @rule(n=few, offer=st.integers(1, 4))
    def goes_all_the_way(self, n: int, offer: int) -> None:
        """The plain way, so that there is something to go wrong with: chosen, approved, ticketed."""
        if self.sight.waiting("choose"):
            self.chooses(n, offer, None)
        for _ in range(2):
            if self.sight.waiting("review"):
                self.decides(0, "approve")
        self.waits(5)

    @precondition(lambda self: len(self.sight.chats) < 3)
    @rule(who=st.sampled_from(("tina", "tom", "olga")))
    def opens_a_chat(self, who: str) -> None:
        self.does(who, Kind.CREATE_CONVERSATION, "")

    @rule(n=few, text=st.sampled_from(SAYINGS))
    def says(self, n: int, text: str) -> None:
        chat = self._pick(self.sight.chats, n)
        self.does(self._name(chat.owner_id), Kind.SEND_MESSAGE, chat.conversation_id, text=text, timezone="Asia/Shanghai")

    @precondition(lambda self: self.sight.waiting("choose"))
    @rule(n=few, offer=st.integers(1, 4), seats=st.sampled_from((None, {"1": {"1": "12C"}}, {"1": {"1": "30A"}})))
    def chooses(self, n: int, offer: int, seats: Json | None) -> None:
        trip = self._trip_of(self._pick(self.sight.waiting("choose"), n))
        self.does(self._name(trip.owner_id), Kind.CHOOSE, trip.trip_id, offer=offer, seats=seats)

    @precondition(lambda self: self.sight.waiting("choose"))
    @rule(n=few, word=st.sampled_from(("resubmit", "change", "ask")))
    def answers(self, n: int, word: str) -> None:
        trip = self._trip_of(self._pick(self.sight.waiting("choose"), n))
        self.does(self._name(trip.owner_id), Kind.CHOOSE, trip.trip_id, answer=word)

    @precondition(lambda self: self.sight.waiting("agree"))
    @rule(n=few, word=st.sampled_from(("agree", "decline")))
    def agrees(self, n: int, word: str) -> None:
        trip = self._trip_of(self._pick(self.sight.waiting("agree"), n))
        self.does(self._name(trip.owner_id), Kind.AGREE, trip.trip_id, answer=word)

    @precondition(lambda self: self.sight.trips)
    @rule(n=few, change=st.sampled_from(CHANGES))
    def revises(self, n: int, change: Json) -> None:
        trip = self._pick(self.sight.trips, n)
        self.does(self._name(trip.owner_id), Kind.REVISE_TRIP, trip.trip_id, **change)

    @precondition(lambda self: self.sight.trips)
    @rule(n=few)
    def cancels(self, n: int) -> None:
        trip = self._pick(self.sight.trips, n)
        self.does(self._name(trip.owner_id), Kind.CANCEL_TRIP, trip.trip_id)

    @precondition(lambda self: self._live())
    @rule(n=few, by_name=st.booleans())
    def cancels_an_order(self, n: int, by_name: bool) -> None:
        """A trip with something to lose, or one of its bookings by itself; approved where that is asked."""
        order = self._pick(self._live(), n)
        trip = next(t for t in self.sight.trips if t.trip_id == order.trip_id)
        payload = {"order_id": order.order_id} if by_name else {}
        self.does(self._name(trip.owner_id), Kind.CANCEL_TRIP, trip.trip_id, **payload)
        asked = [q.thread_id for q in reversed(self.sight.waiting("review"))]
        if trip.trip_id in asked:
            self.decides(asked.index(trip.trip_id), "approve")

    def starts(self, who: str, text: str) -> None:
        """A conversation of its own and a trip in it, on a day nobody has asked for yet."""
        self.does(who, Kind.CREATE_CONVERSATION, "")
        chat = self.sight.chats[-1]
        words = text.format(day=3 + len(self.sight.chats) % 28)
        self.does(who, Kind.SEND_MESSAGE, chat.conversation_id, text=words, timezone="Asia/Shanghai")

    @precondition(lambda self: self.sight.said)
    @rule(n=few, text=st.sampled_from((*SAYINGS[:5], None)))
    def takes_words_back(self, n: int, text: str | None) -> None:
        row = self._pick(self.sight.said, n)
        who = next(c.owner_id for c in self.sight.chats if c.conversation_id == row.conversation_id)
        payload = {"message_id": row.message_id} | ({"text": text} if text else {})
        self.does(self._name(who), Kind.EDIT_MESSAGE if text else Kind.REGENERATE, row.conversation_id, **payload)

    @precondition(lambda self: self.sight.trips)
    @rule(n=few, who=st.integers(0, 2))
    def takes_a_companion(self, n: int, who: int) -> None:
        """Another list of who travels, and options looked for with it."""
        trip = self._pick(self.sight.trips, n)
        named = [p.person_id for p in self.sight.travellers if p.owner_id == trip.owner_id]
        chosen = named if who == 2 else named[who : who + 1]
        if len(chosen) != trip.request["adults"]:
            self.does(self._name(trip.owner_id), Kind.REVISE_TRIP, trip.trip_id, request={"adults": len(chosen)})
        self.does(self._name(trip.owner_id), Kind.NAME_PASSENGERS, trip.trip_id, passengers=chosen)

    @precondition(lambda self: self.sight.chats)
    @rule(n=few)
    def tidies_up(self, n: int) -> None:
        """What moves nothing: names, archives, a stop with nothing to stop, a profile, a review put aside, a wish forgotten."""
        chat = self._pick(self.sight.chats, n)
        who = self._name(chat.owner_id)
        self.does(who, Kind.RENAME, chat.conversation_id, title=f"Trip {n}")
        self.does(who, Kind.ARCHIVE, chat.conversation_id, archived=bool(n % 2))
        self.does(who, Kind.STOP, chat.conversation_id)
        if not any(w.owner_id == chat.owner_id for w in self.sight.wishes):
            self.says(n, WISH)
        for wish in [w for w in self.sight.wishes if w.owner_id == chat.owner_id][-1:]:
            self.does(who, Kind.FORGET_WISH, wish.wish_id)
        for person in [p for p in self.sight.travellers if p.owner_id == chat.owner_id and not p.is_self]:
            self.does(who, Kind.SAVE_PERSON, person.person_id, person_id=person.person_id, details={"phone": "+4915100000199"})
        for review in self.sight.waiting("review")[-1:]:
            self.does(self._reviewer(review), Kind.CLAIM_REVIEW, review.question_id)
            self.does(self._reviewer(review), Kind.RELEASE_REVIEW, review.question_id)

    @rule(seconds=st.sampled_from(SPANS))
    def waits(self, seconds: int) -> None:
        self.life.world.airline.advance(seconds)
        self._judge(f"{seconds} s")

    # Reviewers

    @precondition(lambda self: self.sight.waiting("review"))
    @rule(n=few, word=st.sampled_from(("approve", "approve", "approve", "reject", "respond")))
    def decides(self, n: int, word: str) -> None:
        review = self._pick(self.sight.waiting("review"), n)
        self.does(self._reviewer(review), Kind.DECIDE, review.question_id, type=word, digest=review.digest, message="Because")

    @precondition(lambda self: self.sight.waiting("review"))
    @rule(n=few, edits=st.sampled_from(({"offer": 1}, {"offer": 2}, {"seats": {"1": {"1": "14C"}}})))
    def edits(self, n: int, edits: Json) -> None:
        review = self._pick(self.sight.waiting("review"), n)
        who = self._reviewer(review)
        payload = self._alive(lambda: edited(self.life.world, self.people[who], review.question_id, edits))
        if payload is not None:
            self.does(who, Kind.DECIDE, review.question_id, **payload)

    @precondition(lambda self: self.sight.threads)
    @rule(n=few, to=st.integers(1, 60), corrections=st.sampled_from(CORRECTIONS), settle=st.sampled_from(SETTLES))
    def goes_back(self, n: int, to: int, corrections: Json | None, settle: str | None) -> None:
        thread, newest = self._pick(list(self.sight.threads.values()), n)
        if newest:
            payload = {"corrections": corrections, "settle": settle, "reason": "It went wrong there", "confirm": True}
            to_version = 1 + to % newest
            self.does(self._guide(thread), Kind.REWIND, thread.thread_id, to_version=to_version, seen_version=newest, **payload)

    @precondition(lambda self: self.sight.branches)
    @rule(n=few)
    def promotes(self, n: int) -> None:
        branch = self._pick(self.sight.branches, n)
        thread, newest = self.sight.threads[branch.thread_id]
        who = self._guide(thread)
        self.does(who, Kind.PROMOTE_BRANCH, thread.thread_id, branch_id=branch.branch_id, seen_version=newest, reason="Better")

    @precondition(lambda self: self.sight.waiting("review"))
    @rule(n=few, first=st.sampled_from(RIVALS), second=st.sampled_from(RIVALS))
    def at_the_same_instant(self, n: int, first: str, second: str) -> None:
        """Two people want two things of one trip at once: one wins, or one after the other is done."""
        review = self._pick(self.sight.waiting("review"), n)
        self.both(self._rival(first, review, 0), self._rival(second, review, 1))

    def _rival(self, word: str, review: Any, n: int) -> Command:
        trip, newest = self._trip_of(review), self.sight.threads[review.thread_id][1]
        owner, reviewer = self._name(trip.owner_id), "oscar" if self._reviewer(review) == "oscar" else ("rita", "raj")[n]
        match word:
            case "cancel":
                return self.command(owner, Kind.CANCEL_TRIP, trip.trip_id)
            case "revise":
                return self.command(owner, Kind.REVISE_TRIP, trip.trip_id, offer=2)
            case "rewind":
                back = {
                    "to_version": max(1, newest // 2),
                    "seen_version": newest,
                    "reason": "It went wrong there",
                    "confirm": True,
                }
                return self.command(reviewer, Kind.REWIND, trip.trip_id, **back)
            case _:
                decision = {"type": word, "digest": review.digest, "message": "Because"}
                return self.command(reviewer, Kind.DECIDE, review.question_id, **decision)

    @precondition(lambda self: any(t.status == "needs_person" for t in self.sight.trips))
    @rule(n=few)
    def is_answered_by_the_desk(self, n: int) -> None:
        trip = self._pick([t for t in self.sight.trips if t.status == "needs_person"], n)
        self.does(self._reviewer(trip), Kind.REPLY, trip.trip_id, text="The airline can do that; choose again please")

    @precondition(lambda self: self.sight.branches)
    @rule(n=few, text=st.sampled_from(("Better in the morning", "")))
    def notes(self, n: int, text: str) -> None:
        branch = self._pick(self.sight.branches, n)
        thread = self.sight.threads[branch.thread_id][0]
        self.does(self._reviewer(thread), Kind.NOTE_BRANCH, thread.thread_id, branch_id=branch.branch_id, text=text)

    # Operators

    @precondition(lambda self: self._asking())
    @rule(n=few, word=st.sampled_from(("adopt", "not_booked", "cancel")), right=st.booleans())
    def resolves(self, n: int, word: str, right: bool) -> None:
        """What became of an effect nobody could look up: the truth, or what an operator takes for it."""
        operation = self._pick(self._asking(), n)
        theirs = made_by(self.life.world, operation.operation_id if right else None)
        who = "oscar" if operation.tenant_id == self.people["oscar"].tenant_id else "rita"
        payload = {"resolution": word, "reason": "The airline says so"} | ({"order_id": theirs[-1]} if theirs else {})
        self.does(who, Kind.RESOLVE_OPERATION, operation.operation_id, **payload)

    @rule(n=few)
    def pauses_for_a_while(self, n: int) -> None:
        """Nothing is bought between the two words; what was asked for is done after, or asked again."""
        self.does("operator", Kind.PAUSE, "", reason="Month's end")
        effects = self.life.world.effects()
        if self.sight.waiting("review"):
            self.decides(n, "approve")
        elif self.sight.waiting("choose"):
            self.chooses(n, 1, None)
        assert not [e for e in self.life.world.effects()[len(effects) :] if e in ("hold", "book", "pay")]
        self.does("operator", Kind.RESUME, "")

    def _asking(self) -> list[Any]:
        return [o for o in self.sight.books.operations if o.state in ("unknown", "needs_person")]

    def _live(self) -> list[Any]:
        return [o for o in self.sight.books.orders if o.state in ("held", "ticketing", "confirmed", "surplus")]
