"""`python -m benchmarks`: all lines, one after the other. `--quick` stops growing the long chat at a tenth of its length."""

from __future__ import annotations

import asyncio
import sys

from benchmarks import long_chat, naive_keys, turn, understanding


def main(arguments: list[str]) -> None:
    understanding.main()
    asyncio.run(turn.main())
    asyncio.run(naive_keys.main())
    asyncio.run(long_chat.main(quick="--quick" in arguments))


if __name__ == "__main__":
    main(sys.argv[1:])
