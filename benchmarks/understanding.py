"""How long one message takes the offline interpreter, in processor time: `python -m benchmarks.understanding`."""

from __future__ import annotations

import statistics
import time
from datetime import UTC, datetime

from assistant.language.interpreter import Heard, HeardMessage
from assistant.language.rules.interpreter import RulesInterpreter, understood

_NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)
_USUAL = (
    "I need a flight from Oslo to Bergen next Friday, two adults",
    "下周五从上海去东京，两个人，要靠窗",
    "round trip from Boston to London, leaving December 10th, coming back the 20th, business class, under $3,000",
    "yes, do that",
    "第二个",
    "我刚才说想坐哪里？",
    "an aisle seat, anything but the middle, and how many bags can I take?",
    "国庆想带爸妈去云南玩一周，从杭州出发，直飞，预算一万",
    "Detriot to Barcelna tomorrow morning",
    "no, I meant Saturday",
    "what's the weather like in Rome",
    "好的，就订这个，另外行李多少公斤？",
)
_STRANGE = ("from Qwertz To Xyzzy ", "十号", "and or ", "\t\n", "😀", "my wife and ", "the 5th to ", "new york ", "不要靠窗", "a")
_RUNS = 60
_STRANGE_SIZE = 100_000


def _cost_ms(text: str) -> float:
    heard = Heard(text=text, recent=(HeardMessage(role="assistant", text="Which one would you like?"),), now=_NOW)
    start = time.process_time()
    understood(heard)
    return (time.process_time() - start) * 1000


def main() -> None:
    start = time.process_time()
    RulesInterpreter()
    built = time.process_time() - start
    _cost_ms("Detriot")
    costs = sorted(_cost_ms(text) for _ in range(_RUNS) for text in _USUAL)
    worst = max(min(_cost_ms(piece * (_STRANGE_SIZE // len(piece))) for _ in range(2)) for piece in _STRANGE)
    print(
        f"understanding: median {statistics.median(costs):.2f} ms, p99 {costs[int(len(costs) * 0.99)]:.2f} ms, "
        f"worst of 100 kB {worst:.0f} ms, built in {built:.2f} s"
    )


if __name__ == "__main__":
    main()
