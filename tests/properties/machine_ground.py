"""The ground the state machine stands on: giving commands in lives that may end, and judging after each."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import note
from hypothesis.stateful import RuleBasedStateMachine

from assistant.booking.sandbox.faults import Fault
from assistant.domain.commands import Command, Kind
from tests.properties.machine_acts import (
    Json,
    Sight,
    broken,
    give,
    key,
    look,
    people_of,
    spoiled_faults,
    spoils_look_ups,
    truth_of,
)
from tests.properties.machine_life import Died, Life, Stopped, template
from tests.properties.machine_truth import states

T = TypeVar("T")

REACHED: Counter[str] = Counter()
ROUNDS = 12  # of ten minutes: more look-ups than the product makes before it asks a person


class Ground(RuleBasedStateMachine):
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
        self.seen: set[tuple[str, str]] = set()
        self.lasting = False  # faults stay planned though they have been met
        self.calm_since = self.life.world.whole.clock()  # no look-up was spoiled after it
        self.sight: Sight = self.life.run(self.life.world.whole.database.read(look))

    # Doing

    def command(self, who: str, kind: Kind, target: str, **payload: Any) -> Command:
        given = Command(command_id=key(next(self.numbers)), kind=kind, actor=self.people[who], target=target, payload=payload)
        self.given.append(given)
        return given

    def does(self, who: str, kind: Kind, target: str, **payload: Any) -> str:
        return self._give(self.command(who, kind, target, **payload))

    def both(self, *commands: Command, meanwhile: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        """All of them at once, as far as one process can, and what somebody else does meanwhile."""

        async def work() -> list[str]:
            other = [meanwhile()] if meanwhile is not None else []
            words = await asyncio.gather(*(give(self.life.world, each) for each in commands), *other)
            return [str(word) for word in words[: len(commands)]]

        words = [f"{c.kind} {word}" for c, word in zip(commands, self._alive(work), strict=True)]
        REACHED["at the same instant"] += 1
        self._judge(" and ".join(words))

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
        now = self.life.world.whole.clock()  # what falls due later than this is nobody's duty yet, however slow we are
        spoilt = spoils_look_ups(self.life.world)
        self._alive(lambda: self.life.world.quiet())
        self.life.spare()
        world = self.life.world
        self.calm_since = world.whole.clock() if spoilt else self.calm_since
        self.sight = self.life.run(world.whole.database.read(look))
        wrong = self.life.run(broken(world, self.sight, self.before, now=now, calm_since=self.calm_since))
        wrong += [f"in the background: {trouble}" for trouble in self.life.troubles]
        self.before = states(self.sight.books)
        self._count()
        note(f"  -> {after}; trips {[t.status for t in self.sight.trips]}, airline {world.effects()[-6:]}")
        assert not wrong, f"after {after}:\n" + "\n".join(str(each) for each in wrong)

    def plans(self, *faults: Json) -> None:
        """What the airline will do wrong from now on, until one of it has happened."""
        self.life.world.airline.put_faults([{"seconds": 0.01} | f if f["fault"] == Fault.SLOW else f for f in faults])

    def _count(self) -> None:
        for each, times in spoiled_faults(self.life.world).items():
            REACHED[f"fault {each}"] += times
        if spoiled_faults(self.life.world) and not self.lasting:
            self.life.world.airline.put_faults([])
        books = self.sight.books
        self._seen((t.trip_id, f"trip {t.status}") for t in self.sight.trips)
        self._seen((o.operation_id, f"operation {o.kind} {o.state}") for o in books.operations)
        self._seen((o.order_id, f"order {o.state}") for o in books.orders)
        self._seen((c.command_id, f"command {c.kind}") for c in books.commands if c.status == "succeeded")
        self._seen((q.question_id, f"answer {q.node} {q.answer}") for q in books.questions if q.answer)
        self._seen((c.command_id, f"settle {c.payload['settle']}") for c in self.sight.settled)

    def _seen(self, found: Iterable[tuple[str, str]]) -> None:
        """Each thing counts once for each state it is seen in."""
        new = set(found) - self.seen
        REACHED.update(name for _, name in new)
        self.seen |= new

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
            self._sees_the_last()
            assert not self._unsettled(), f"never settled: {self._unsettled()}"
            self.life.end()
        except Stopped:
            return
        finally:
            shutil.rmtree(self.home, ignore_errors=True)

    def _sees_the_last(self) -> None:
        """What the airline has and does not show yet is shown some day, and known soon after."""
        shown = truth_of(self.life.world, self.sight, calm_since=self.calm_since).visible.values()
        still = (max(shown, default=self.calm_since) - self.life.world.whole.clock()).total_seconds()
        for seconds in (still, 600, 600) if still > 0 else ():
            self.life.world.airline.advance(seconds)
            self._judge(f"{seconds} s until everything is shown")

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
        home = Path(tempfile.mkdtemp(prefix="layover-template-"))
        atexit.register(shutil.rmtree, home, ignore_errors=True)
        _made.append(template(home / "data"))
    return _made[0]


def totals() -> str:
    """What was reached, and how often."""
    return "\n".join(f"{times:6}  {what}" for what, times in sorted(REACHED.items()))
