"""What torture did and what came of it, in words for a terminal and as tables for a page."""

from __future__ import annotations

import re
import resource
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

KINDS = ("hold", "book", "pay", "cancel")
CALLS = ("create", "pay", "quote", "confirm")
TWICE = re.compile(  # as the judge, the state machine and the doctor say that something is there more than once
    r"has \d+ live orders on|made \d+ orders|happened \d+ times"
    r"|is on it with .+, |made more than one order|passenger has orders .+, |has several orders"
)
FAMILIES = ("trip", "operation", "order", "command", "answer", "settle")  # what the state machine counts besides faults


@dataclass
class Totals:
    kills: Counter[str] = field(default_factory=Counter[str])  # by point, or "at a random moment"
    cut_off: Counter[str] = field(default_factory=Counter[str])  # by the command that ran, at points that many pass
    airlines: Counter[str] = field(default_factory=Counter[str])  # deaths of an airline's own process, which are not in `kills`
    spawned: int = 0  # of them servers with an interpreter of their own
    faults: Counter[str] = field(default_factory=Counter[str])
    inside: Counter[str] = field(default_factory=Counter[str])  # faults of the state machine, in its own process
    patience: int = 0  # answers of 503
    machine_runs: int = 0
    states: Counter[str] = field(default_factory=Counter[str])  # what else the state machine has reached: "trip booked"
    unreached_inside: list[str] = field(default_factory=list[str])  # and what it has not
    ends: Counter[str] = field(default_factory=Counter[str])  # of journeys, at an airline that goes wrong
    calm_ends: Counter[str] = field(default_factory=Counter[str])  # and at one that does nothing wrong
    unreached: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])
    kept: list[str] = field(default_factory=list[str])  # directories in which something was wrong

    def broke(self, found: list[str]) -> None:
        self.wrong += [each for each in dict.fromkeys(found) if each not in self.wrong]

    @property
    def duplicates(self) -> int:
        """Only what is there twice; a live order that nobody answers for is broken, and no duplicate."""
        return sum(1 for each in self.wrong if TWICE.search(each))

    @property
    def points(self) -> int:
        return sum(1 for point in self.kills if "." in point)

    @property
    def never_reached(self) -> list[str]:
        return sorted(point for point in self.unreached if point not in self.kills)

    def sums(self, seconds: float) -> list[tuple[str, str]]:
        harness, servers = (_spent(who) / 60 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        kills, faults = sum(self.kills.values()), sum(self.faults.values())
        return [
            ("minutes", f"{seconds / 60:.1f}"),
            ("processor minutes", f"{servers:.1f} of servers and state machine, {harness:.1f} of the harness"),
            ("processes killed with SIGKILL", f"{kills} ({self.spawned} with an interpreter of their own, the others forked)"),
            ("different named points", str(self.points)),
            ("besides, airlines in a process of their own killed", str(self.airlines.total())),
            ("faults injected at the airline of real servers", str(faults)),
            ("faults injected by the state machine", f"{sum(self.inside.values())} in {self.machine_runs} runs"),
            ("journeys", f"{self.calm_ends.total() + self.ends.total()}, {self.calm_ends.total()} of them with a calm airline"),
            ("times the servers asked for patience (503)", str(self.patience)),
            ("invariants broken", str(len(self.wrong))),
            ("of them duplicates", str(self.duplicates)),
            ("of them lost commands (I8)", str(sum(1 for each in self.wrong if each.startswith("I8")))),
            ("of them stuck operations (I5)", str(sum(1 for each in self.wrong if each.startswith("I5")))),
        ]

    def told(self, seconds: float) -> str:
        lines = [f"{name}: {value}" for name, value in self.sums(seconds)]
        for title, counted in (
            ("kills", self.kills),
            ("kills of the airline", self.airlines),
            ("ran when it died", self.cut_off),
            ("faults", self.faults),
            ("in the machine", self.inside),
            ("reached by the machine", self.states),
            ("ends, airline calm", self.calm_ends),
            ("ends, airline at fault", self.ends),
        ):
            lines += [f"{title}:", *(f"  {count:5} {what}" for what, count in sorted(counted.items()))]
        lines += ["not reached: " + (", ".join(self.never_reached) or "nothing")]
        if self.machine_runs:
            lines += ["not reached by the machine: " + (", ".join(self.unreached_inside) or "nothing")]
        lines += [f"{len(self.wrong)} broken", *(f"  {each}" for each in self.wrong[:60]), *self.kept]
        return "\n".join(lines)

    def markdown(self, seconds: float, command: str) -> str:
        """Tables that can stand in a page as they are."""
        parts = [f"`{command}`", "\n".join(_table(("", ""), [list(row) for row in self.sums(seconds)]))]
        parts += ["Kills by point", *_kills(self.kills)]
        if self.airlines:
            rows = [[why, str(count)] for why, count in sorted(self.airlines.items())]
            parts += ["Kills of an airline in a process of its own", "\n".join(_table(("it died", "kills"), rows))]
        if self.cut_off:
            parts += ["What ran when it died there, side by side", "\n".join(_crossed(self.cut_off, "point"))]
        parts += ["Faults by call, at the airline of real servers", "\n".join(_crossed(self.faults, "fault"))]
        if self.inside:
            parts += ["Faults by call, in-process, state machine", "\n".join(_crossed(self.inside, "fault"))]
        if self.states:
            parts += ["Reached by the state machine", "\n".join(_families(self.states))]
        for title, ends in (("airline calm", self.calm_ends), ("airline at fault", self.ends)):
            parts += [f"Ends of journeys, {title}", "\n".join(_crossed(ends, "end"))] if ends else []
        parts += ["Not reached: " + (", ".join(f"`{p}`" for p in self.never_reached) or "nothing")]
        if self.machine_runs:
            parts += ["Not reached by the state machine: " + (", ".join(f"`{n}`" for n in self.unreached_inside) or "nothing")]
        return "\n\n".join(parts) + "\n"


def _spent(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def _kills(kills: Mapping[str, int]) -> Iterator[str]:
    """One table a family: points of each kind of operation, of each command, and the others."""
    by_kind, by_command, others = Counter[str](), Counter[str](), Counter[str]()
    for point, count in kills.items():
        name, _, of = point.rpartition(".")
        if name.startswith(("send", "unknown", "outcome", "look_up")):
            by_kind[f"{of}: {name}"] += count
        elif name.startswith(("accept", "begin", "finish")):
            by_command[f"{of}: {name}"] += count
        else:
            others[point] += count
    yield "\n".join(_crossed(by_kind, "point"))
    yield "\n".join(_crossed(by_command, "point"))
    yield "\n".join(_table(("point", "kills"), [[_code(point), str(count)] for point, count in sorted(others.items())]))


def _crossed(counted: Mapping[str, int], rows_are: str) -> list[str]:
    """`column: row` counts as a table; the order of columns is that in which work happens."""
    split = {tuple(key.split(": ", 1)): count for key, count in counted.items()}
    columns = sorted({column for column, _ in split}, key=_place)
    rows = [[_code(row), *(str(split.get((column, row), "")) for column in columns)] for row in sorted({row for _, row in split})]
    return _table((rows_are, *columns), rows)


def _families(states: Mapping[str, int]) -> list[str]:
    """One row a family; what has no times was not reached and is told apart."""
    rows = list[list[str]]()
    for family in FAMILIES:
        mine = {name.removeprefix(f"{family} "): times for name, times in sorted(states.items()) if name.startswith(f"{family} ")}
        rows.append([family, ", ".join(f"{name} {times}" for name, times in mine.items())])
    return _table(("", "times"), rows)


def _place(column: str) -> tuple[int, str]:
    order = (*CALLS, *KINDS)
    return (order.index(column) if column in order else len(order), column)


def _code(name: str) -> str:
    word, comma, rest = name.partition(", ")
    return name if " " in word else f"`{word}`{comma}{rest}"


def _table(head: tuple[str, ...], rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows)]
