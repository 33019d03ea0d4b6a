"""People, the airline's faults, deaths and the clock in any order; after each step every invariant is judged."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from assistant.domain.commands import Command, Kind
from tests.properties.machine_acts import (
    FAULTS,
    Json,
    Sight,
    broken,
    edited,
    give,
    key,
    look,
    met_faults,
    mischief,
    people_of,
    post_webhooks,
)
from tests.properties.machine_life import Died, Life, Stopped, template
from tests.properties.machine_truth import states

T = TypeVar("T")

SAYINGS = (
    "From Shanghai to Tokyo on 11 December",
    "11号从上海飞东京",
    "Shanghai to Tokyo on 11 December and back on the 15th",
    "Fly me from London to New York on 12 December, business class",
    "12月20号北京到成都",
    "the second one", "yes", "no", "第一个", "好的",
    "I always want a window seat", "not too close to the toilets please", "不要靠窗了",
    "cancel it", "取消吧", "make it the 12th instead", "hello?",
)  # fmt: skip
CHANGES: tuple[Json, ...] = (
    {"offer": 1},
    {"offer": 2},
    {"offer": 3},
    {"request": {"depart_on": "2026-12-13"}},
    {"offer": 2, "settle": "keep_both"},
    {"seats": {"1": {"1": "31C"}}, "settle": "rebook"},
)
CORRECTIONS = (
    None,
    {"offer": 2},
    {"offer": 1},
    {"ask": "reviewer"},
    {"text": SAYINGS[1]},
    {"exclude": [1]},
    {"depart_on": "2026-12-14"},
)
SETTLES = (None, "keep", "replace")
SPANS = (1, 3, 10, 60, 700, 3600, 7200, 90_000)
REACHED: Counter[str] = Counter()
ROUNDS = 12  # of ten minutes: more look-ups than the product makes before it asks a person
few = st.integers(0, 11)


class Trips(RuleBasedStateMachine):
    """Numbers drawn name a thing by its place among what there is."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="layover-machine-"))
        shutil.copytree(_template(), self.home / "data")
        self.life = Life(self.home / "data")
        self.people = self.life.run(people_of(self.life.world))
        self.given: list[Command] = []
        self.numbers = iter(range(1, 10_000))
        self.before: dict[str, str] = {}
        self.sight: Sight = self.life.run(self.life.world.whole.database.read(look))

    # Doing

    def does(self, who: str, kind: Kind, target: str, **payload: Any) -> str:
        command = Command(command_id=key(next(self.numbers)), kind=kind, actor=self.people[who], target=target, payload=payload)
        self.given.append(command)
        return self._give(command)

    def _give(self, command: Command) -> str:
        """Killed on the way, the client asks again with the same key, as clients do."""
        word = self._alive(lambda: give(self.life.world, command))
        REACHED[f"{command.kind}:{word}"] += 1
        self._judge(f"{command.kind} {word}")
        return word

    def _alive(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The work's result, begun anew in the next life where it is cut short."""
        try:
            return self.life.run(work())
        except Died:
            self._next_life()
            return self.life.run(work())

    def _next_life(self) -> None:
        REACHED["died"] += 1
        self.life = Life(self.life.bury())

    def _judge(self, after: str) -> None:
        self._alive(lambda: self.life.world.quiet())
        self.life.spare()
        world = self.life.world
        self.sight = self.life.run(world.whole.database.read(look))
        wrong = self.life.run(broken(world, self.sight, self.before))
        self.before = states(self.sight.books)
        self._count()
        note(f"  -> {after}; trips {[t.status for t in self.sight.trips]}, airline {world.effects()[-6:]}")
        assert not wrong, f"after {after}:\n" + "\n".join(str(each) for each in wrong)

    def _count(self) -> None:
        for each, times in met_faults(self.life.world).items():
            REACHED[f"fault {each}"] += times
        if met_faults(self.life.world):
            self.life.world.airline.put_faults([])
        REACHED.update({f"trip {t.status}" for t in self.sight.trips})
        REACHED.update({f"operation {o.kind} {o.state}" for o in self.sight.books.operations})
        REACHED.update({f"order {o.state}" for o in self.sight.books.orders})

    # Travellers

    @initialize(offer=st.integers(0, 4), text=st.sampled_from(SAYINGS[:5]))
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
    @rule(n=few, word=st.sampled_from(("resubmit", "change")))
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

    @precondition(lambda self: self.sight.said)
    @rule(n=few, text=st.sampled_from((*SAYINGS[:5], None)))
    def takes_words_back(self, n: int, text: str | None) -> None:
        row = self._pick(self.sight.said, n)
        who = next(c.owner_id for c in self.sight.chats if c.conversation_id == row.conversation_id)
        payload = {"message_id": row.message_id} | ({"text": text} if text else {})
        self.does(self._name(who), Kind.EDIT_MESSAGE if text else Kind.REGENERATE, row.conversation_id, **payload)

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

    # The world

    @precondition(lambda self: self.given)
    @rule(n=few)
    def delivers_again(self, n: int) -> None:
        """One of the last commands comes once more, with its key: the same answer, and nothing happens."""
        command = self.given[-1 - n % len(self.given[-4:])]
        effects, commands = self.life.world.effects(), len(self.sight.books.commands)
        self._give(command)
        if command.command_id in {c.command_id for c in self.sight.books.commands} and self._was_known(command, commands):
            assert self.life.world.effects() == effects

    @rule(commits=st.integers(0, 14), ticks=st.integers(1, 400))
    def will_die(self, commits: int, ticks: int) -> None:
        """In the middle of whatever comes next: right after a durable write, or after some turns of the loop."""
        self.life.doom(commits=commits, ticks=0 if commits else ticks)

    @rule()
    def restarts(self) -> None:
        try:
            self.life.end()
        except Died:
            self._next_life()
            return
        self.life = Life(self.life.data_dir)
        self._judge("restart")

    @rule(seconds=st.sampled_from(SPANS))
    def waits(self, seconds: int) -> None:
        self.life.world.airline.advance(seconds)
        self._judge(f"{seconds} s")

    @rule(how=st.sampled_from(("in order", "reversed", "twice")))
    def hears(self, how: str) -> None:
        self.life.spare()  # an event is posted until it is taken; how often is the rule's matter
        REACHED[f"webhooks {how}"] += self.life.run(post_webhooks(self.life.world, how))
        self._judge(f"webhooks {how}")

    @rule(op_and_fault=st.sampled_from(FAULTS), nth=st.integers(1, 2))
    def will_go_wrong(self, op_and_fault: tuple[str, str], nth: int) -> None:
        self.life.world.airline.put_faults([mischief(*op_and_fault, nth)])

    @precondition(lambda self: self.sight.trips)
    @rule(op_and_fault=st.sampled_from(FAULTS), n=few, offer=st.integers(1, 4))
    def goes_wrong_on_the_way(self, op_and_fault: tuple[str, str], n: int, offer: int) -> None:
        """A fault with something for it to hit: a booking, or a cancellation."""
        self.will_go_wrong(op_and_fault, 1)
        if op_and_fault[0] in ("quote", "confirm"):
            self.cancels(n)
        self.goes_all_the_way(n, offer)

    def teardown(self) -> None:
        """The faults are over and time passes: everything comes to an end or to a person, and stays right."""
        try:
            self.life.spare()
            self.life.world.airline.put_faults([])
            for round_ in range(ROUNDS):
                self.life.world.airline.advance(600)
                self._judge(f"{round_ + 1} x 10 minutes afterwards")
                if round_ and not self._unsettled():
                    break
            assert not self._unsettled(), f"never settled: {self._unsettled()}"
            self.life.end()
        except Stopped:
            return
        finally:
            shutil.rmtree(self.home, ignore_errors=True)

    def _unsettled(self) -> list[str]:
        return [f"{o.kind} {o.operation_id}" for o in self.sight.books.operations if o.state in {"submitting", "unknown"}]

    # Finding

    def _pick(self, among: list[Any], n: int) -> Any:
        """The newest first: that is where things happen."""
        return among[-1 - n % len(among)]

    def _trip_of(self, question: Any) -> Any:
        return next(t for t in self.sight.trips if t.trip_id == question.thread_id)

    def _name(self, user_id: str) -> str:
        return next(name for name, actor in self.people.items() if actor.user_id == user_id)

    def _reviewer(self, row: Any) -> str:
        return "oscar" if row.tenant_id == self.people["oscar"].tenant_id else ("rita", "raj")[len(self.given) % 2]

    def _guide(self, thread: Any) -> str:
        return self._name(thread.owner_id) if thread.kind == "conversation" else self._reviewer(thread)

    def _was_known(self, command: Command, before: int) -> bool:
        at = {c.command_id: n for n, c in enumerate(self.sight.books.commands)}[command.command_id]
        return at < before


_made: list[Path] = []


def _template() -> Path:
    if not _made:
        _made.append(template(Path(tempfile.mkdtemp(prefix="layover-template-")) / "data"))
    return _made[0]


def totals() -> str:
    """What was reached, and how often."""
    return "\n".join(f"{times:6}  {what}" for what, times in sorted(REACHED.items()))
