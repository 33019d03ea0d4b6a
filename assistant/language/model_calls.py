"""Asking a server that speaks the chat completions of OpenAI: structured answers and streamed words, whatever it does to us."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast

import openai
from langchain_core.exceptions import ContextOverflowError, ModelRefusalError
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from .model_outage import Fault, ModelFailed, Outage
from .model_reading import Message
from .usage import ModelRun

T = TypeVar("T")
Method = Literal["json_schema", "function_calling", "json_mode"]
METHODS: tuple[Method, ...] = ("json_schema", "function_calling", "json_mode")  # the surest first

_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|window|size)|too (?:long|large)|too many tokens|exceeds? the (?:limit|maximum)", re.IGNORECASE
)
# What the client libraries raise where a body is no chat completion: a page of HTML, a list, no choices, half a line of JSON.
_NONSENSE = (ValueError, KeyError, TypeError, AttributeError, IndexError)


@dataclass(frozen=True)
class Patience:
    """Seconds a traveller may be kept waiting for the model before the rules answer."""

    connect: float = 3.0
    understanding: float = 20.0  # repair included
    piece: float = 8.0  # for the next words of a reply
    reply: float = 30.0
    retry_after: float = 2.0  # the longest wish to be asked later that is granted
    rest: float = 15.0  # out of reach once, it is left alone so long
    longest_rest: float = 300.0


class ModelServer:
    """One model behind one address. Everything that goes wrong is a ModelFailed; only a stop is a Conflict."""

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None,
        base_url: str | None = None,
        patience: Patience | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self.patience = patience or Patience()
        self.outage = Outage(rest=self.patience.rest, longest_rest=self.patience.longest_rest, seconds=seconds)
        self._model, self._priced = model, base_url is None
        self._counts_streams = True  # until the server refuses to count the tokens of a stream
        self._method: Method | None = None  # the way of asking that is known to work here
        timeout = openai.Timeout(self.patience.understanding, connect=self.patience.connect)
        self._http = openai.DefaultAsyncHttpxClient(timeout=timeout)
        self._chat = ChatOpenAI(
            model=model,
            api_key=SecretStr(api_key or "none"),  # a server of one's own often wants no key, the client always does
            base_url=base_url,
            timeout=timeout,
            max_retries=0,  # how long to wait is ours to say: somebody is waiting
            use_responses_api=False,
            http_async_client=self._http,
        )

    async def aclose(self) -> None:
        await self._http.aclose()

    async def structured(self, messages: Sequence[Message], schema: dict[str, Any], run: ModelRun) -> str:
        """The model's answer as JSON text, as the schema asks; not checked. What the server takes is found out once."""
        methods = (self._method,) if self._method else METHODS
        for method in methods:
            try:
                answer = await self._call(lambda m=method: self._structured(messages, schema, m, run), run)
            except ModelFailed as failure:
                if failure.fault is not Fault.REJECTED or method == methods[-1]:
                    raise
                continue
            self._method = method
            return answer
        raise ModelFailed(Fault.REJECTED)

    async def stream(self, messages: Sequence[Message], run: ModelRun) -> AsyncGenerator[str]:
        """The model's words as they come. Raises ModelFailed, also half way."""
        try:
            async with aclosing(self._stream(messages, run)) as words:
                async for text in words:
                    yield text
        except ModelFailed as failure:
            if failure.fault is not Fault.REJECTED or not self._counts_streams:
                raise
            self._counts_streams = False  # refused before a word was said
            async with aclosing(self._stream(messages, run)) as words:
                async for text in words:
                    yield text

    async def _stream(self, messages: Sequence[Message], run: ModelRun) -> AsyncGenerator[str]:
        chunks = self._chat.astream([*messages], stream_usage=self._counts_streams)
        async with aclosing(cast("Any", chunks)):
            while (chunk := await self._call(lambda: self._next(chunks), run, counts=False)) is not None:
                run.usage.add(cast("Any", chunk.usage_metadata))
                if text := chunk.text:
                    yield text
        self._count(run)

    async def _structured(self, messages: Sequence[Message], schema: dict[str, Any], method: Method, run: ModelRun) -> str:
        chat: Any = self._chat
        asked = chat.with_structured_output(schema, method=method, include_raw=True, strict=method == "json_schema" or None)
        found: dict[str, Any] = await asked.ainvoke([*messages])
        answer, problem = cast(AIMessage, found["raw"]), found["parsing_error"]
        run.usage.add(cast("Any", answer.usage_metadata))
        if isinstance(problem, ModelRefusalError) or answer.additional_kwargs.get("refusal"):
            raise ModelFailed(Fault.REFUSED)
        return _json_of(answer)

    async def _next(self, chunks: AsyncIterator[Any]) -> AIMessageChunk | None:
        async with asyncio.timeout(self.patience.piece):
            return cast("AIMessageChunk | None", await anext(chunks, None))

    async def _call(self, ask: Callable[[], Coroutine[Any, Any, T]], run: ModelRun, *, counts: bool = True) -> T:
        """Once, and once more where the server asks for a short wait."""
        if self.outage.resting:
            raise self._noted(ModelFailed(Fault.RESTING), run)
        for last in (False, True):
            try:
                answer = await run.stop.cuts(_told_apart(ask()))
            except ModelFailed as failure:
                wait = failure.retry_after
                if last or failure.fault is not Fault.BUSY or wait is None or wait > self.patience.retry_after:
                    raise self._noted(failure, run) from failure
                await run.stop.cuts(asyncio.sleep(wait))
                continue
            if counts:
                self._count(run)
            return answer
        raise ModelFailed(Fault.BUSY)

    def _count(self, run: ModelRun) -> None:
        run.usage.model, run.usage.priced = self._model, self._priced
        run.usage.calls += 1

    def _noted(self, failure: ModelFailed, run: ModelRun) -> ModelFailed:
        if failure.fault is not Fault.RESTING:
            self._count(run)
            run.usage.failures += 1
        if failure.fault not in (Fault.RESTING, Fault.REJECTED, Fault.TOO_LONG):  # those may be put right by asking otherwise
            self.outage.failed(failure)
        return failure


async def _told_apart(asking: Coroutine[Any, Any, T]) -> T:
    """Every failure of the client libraries as one of ours."""
    try:
        return await asking
    except (ContextOverflowError, openai.OpenAIError, TimeoutError, *_NONSENSE) as failure:
        raise _failure(failure) from failure


def _failure(failure: Exception) -> ModelFailed:
    match failure:
        case ContextOverflowError():
            return ModelFailed(Fault.TOO_LONG)
        case openai.APIStatusError() if failure.status_code in (400, 413) and _TOO_LONG.search(str(failure.body)):
            return ModelFailed(Fault.TOO_LONG)
        case openai.RateLimitError():
            return ModelFailed(Fault.BUSY, retry_after=_retry_after(failure.response.headers.get("retry-after")))
        case openai.APITimeoutError() | TimeoutError():
            return ModelFailed(Fault.SLOW)
        case openai.APIConnectionError():
            return ModelFailed(Fault.ABSENT)
        case openai.AuthenticationError() | openai.PermissionDeniedError() | openai.NotFoundError():
            return ModelFailed(Fault.MISCONFIGURED, detail=failure.status_code)
        case openai.APIStatusError() if failure.status_code >= 500:
            return ModelFailed(Fault.BROKEN, detail=failure.status_code)
        case openai.APIStatusError():
            return ModelFailed(Fault.REJECTED, detail=failure.status_code)
        case openai.ContentFilterFinishReasonError():
            return ModelFailed(Fault.REFUSED)
        case _:
            return ModelFailed(Fault.MALFORMED, detail=type(failure).__name__)


def _retry_after(header: str | None) -> float | None:
    """Seconds; a date is as good as none, since only a short wait is granted."""
    try:
        return max(float(header), 0.0) if header else None
    except ValueError:
        return None


def _json_of(answer: AIMessage) -> str:
    """The JSON text wherever the way of asking puts it, also where it cannot be parsed."""
    called = cast("list[dict[str, Any]]", [*answer.tool_calls, *answer.invalid_tool_calls])
    if called:
        arguments = called[0].get("args")
        return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    text = answer.text.strip()
    return text.removeprefix("```json").removeprefix("```").removesuffix("```").strip()
