"""Where a message names places. Says which place, not what part it plays in the trip: that is `routes`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from ... import places
from . import place_names as names
from . import place_names_zh as names_zh
from .gazetteer import Known, gazetteer, plain
from .text import Text, word_set

_WORD = re.compile(r"[a-z\u00e0-\u024f][a-z\u00e0-\u024f'.&]*")
_LONGEST_NAME = 5  # words
_QUALIFIER = re.compile(r"\s*,?\s+(?:in\s+)?([a-z][a-z.]*(?: [a-z]+){0,2})")
_AIRPORT_WORD = re.compile(r"\s+(?:(?:city|intl|international|regional)\s+)?airport\b|\s+(?:international|intl)\b")
_ZH_AIRPORT = re.compile(r"市?[^到去飞从往的,，。和或在 ]{0,6}?(?:国际)?机场")
_STRONG = 150_000
_SURE_OF_SPELLING = 84

# Names that are everyday words or first names: only after "from" or "to", and written with a capital.
_WORDS = word_set(
    "to of can same than time part most date bar us normal along page reading split pop much best union save come hook",
    "nan hope goes lock boundary hit delta cat marks deal say green dual abs pa manage nice flat man rich wise gap hang",
    "price au alert turbo orange hub central circle ruby surprise opportunity spring walker bell pen wa mine van sake",
    "banana or in me hi ok id al ma mo de ne mobile bath enterprise independence police book buy march may august friday",
    "sunday window middle front back young bend mark john ben susan sarah alina alexis angela joe jim tom jack anna mary",
    "charlotte madison florence victoria austin jackson brown lincoln carlos maria martin marion troy home work there",
    "here business economy coach first direct return round one way gary lake park the big bull eagle crystal beaver",
    "crane bird eureka ideal jet air sun moon star as so no go my we it is at on by if be do up an am sweet sure thank",
    "thanks please yes yeah hello hey like love need want flight ticket seat plane trip cheap fly stop stops san santa",
    "saint st new los las fort port lima grand north south east west upper lower little old",
)
_FIRST_NAMES = word_set(
    "mark john ben susan sarah alina alexis angela joe jim tom jack anna mary charlotte madison florence victoria austin",
    "jackson brown lincoln carlos maria martin marion troy",
)
_NEVER = word_set(
    "to of can for from in on at and or the a an as so no not is it if be do am up by my me we go i you he she us hi ok",
)
_CODES_THAT_ARE_WORDS = word_set(
    "the for and not are can int all but try any has see may our was key new non end out get run don add via per way too",
    "top got off bit old bar let max sub due row min dir low won bad day sum law box pos far big red yes ask tab num cut",
    "man sin act gui win six odd ran age cap tie gap pat pin pay dec rid tup fun hot mac sit pro bus ten ago dog her his",
    "cur fly saw con fin art eat mad sea del den sun los las led han dad bud ham nap hit put set use say she him who why",
    "how did its had one two you yet boy buy car fee fit fix gas job joy kid lot mom pie pop raw sad sir sky son tax tea",
    "tip toy war wed wet wow zoo usd eur gbp cny rmb jpy hkd aud cad am pm mon tue thu fri sat jan feb mar apr jun jul",
    "aug sep oct nov",
)
_NOT_A_CODE = word_set(
    "usd eur gbp cny rmb jpy hkd aud cad the and not non for you yes can omg lol wtf fyi eta vip atm ceo usa wow asap tbd tba faq"
)
_ZH_WORDS = word_set(
    "东方 和平 方便 自由 太平 天堂 北岸 新港 花城 三河 扩展 美里 开城 大方 安平 新城 中心 公主 永安 平安 成功 大通 通道",
    "高原 南方 北方 西方 上海南 中国 大学 明天 今天 公园 大同小异 富裕 公平 长安 向阳 光明 前进 团结 新华 人和 大小 上下",
    "中央 高山 海洋 阳光 黄金 金山 东海 南海 北海道大学 大河 中原 大连接 大安 大海 长城 大城 上山 平和 大和 太子 小城",
    "小山 水上 下关 下田 三原 和光 清水 富山 松山 高松 青山",
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A named place. `strong`: it can only be a place; a weak one needs words around it that say so."""

    start: int
    end: int
    text: str
    known: tuple[Known, ...]  # best first; empty when the place is none we know
    strong: bool
    word: bool = False  # also an everyday word, here in small letters
    misspelt: bool = False
    guess: bool = False  # an airport's code in small letters: only where both ends are named


def find(text: Text) -> list[Mention]:
    found = _english(text) + (_chinese(text) if text.has_han else [])
    return sorted(found, key=lambda m: m.start)


def _english(text: Text) -> list[Mention]:
    words = list(_WORD.finditer(text.low))
    out: list[Mention] = []
    i = 0
    while i < len(words):
        mention, used = _longest(text, words, i)
        if mention:
            out.append(mention)
        i += max(used, 1)
        while mention and i < len(words) and words[i].start() < mention.end:
            i += 1
    return out


def _longest(text: Text, words: list[re.Match[str]], i: int) -> tuple[Mention | None, int]:
    start = words[i].start()
    for n in range(min(_LONGEST_NAME, len(words) - i), 0, -1):
        end = words[i + n - 1].end()
        while end > start and text.low[end - 1] in ".'&" and text.low[start:end] not in names.NICKNAMES:
            end -= 1
        if end - start > 40:
            continue
        spelt = " ".join(text.low[start:end].split())
        if spelt.endswith("'s") and n == 1:
            spelt, end = spelt[:-2], end - 2
        known = gazetteer().english.get(plain(spelt))
        if known and spelt not in _NEVER:
            return _qualified(text, start, end, spelt, known), n
    return _code(text, words[i]), 1


def _code(text: Text, word: re.Match[str]) -> Mention | None:
    spelt = word.group().rstrip(".")
    known = gazetteer().by_code.get(spelt.upper()) if len(spelt) == 3 else None
    if not known:
        return None
    raw = text.raw[word.start() : word.start() + 3]
    shouting = text.raw.isupper() and len(text.raw) > 12
    written_as_code = raw.isupper() and not shouting
    if spelt in (_NOT_A_CODE if written_as_code else _CODES_THAT_ARE_WORDS):
        return None
    tail = _AIRPORT_WORD.match(text.low, word.start() + 3)
    end = tail.end() if tail else word.start() + 3
    return Mention(
        start=word.start(),
        end=end,
        text=text.raw[word.start() : end],
        known=(known,),
        strong=written_as_code or bool(tail),
        guess=not written_as_code and places.city_of(spelt.upper()) is None,
    )


def _qualified(text: Text, start: int, end: int, spelt: str, known: list[Known]) -> Mention:
    """Read on: `Portland, OR`, `London, England`, `Denver International Airport`, `New York JFK`."""
    chosen = tuple(known)
    strong = spelt not in _WORDS | _FIRST_NAMES and (
        chosen[0].weight >= _STRONG or chosen[0].kind == "airport" or (" " in spelt and bool(chosen[0].codes))
    )
    for _ in range(2):
        if tail := _AIRPORT_WORD.match(text.low, end):
            end, strong = tail.end(), True
        narrowed, new_end = _narrowed(text, end, chosen)
        if not narrowed:
            break
        chosen, end, strong = narrowed, new_end, True
    word = not strong and (spelt in _WORDS or not chosen[0].codes) and not text.raw[start].isupper()
    return Mention(start, end, text.raw[start:end], chosen, strong, word, misspelt=_has_slipped(spelt, chosen[0]))


def _has_slipped(spelt: str, known: Known) -> bool:
    """The lists of names hold slips of the pen too: a letter short of the city's own name is one."""
    name = plain(known.city)
    near = len(spelt) < len(name) and fuzz.ratio(plain(spelt), name) >= _SURE_OF_SPELLING
    return near and spelt in gazetteer().also and spelt not in names.NICKNAMES


def _narrowed(text: Text, end: int, known: tuple[Known, ...]) -> tuple[tuple[Known, ...], int]:
    after = _QUALIFIER.match(text.low, end)
    if not after:
        return (), end
    words = after.group(1).split()
    for n in range(len(words), 0, -1):
        spelt = " ".join(words[:n]).rstrip(".") if n > 1 or words[0].count(".") < 2 else words[0]
        stop = after.start(1) + len(" ".join(words[:n]))
        while text.low[stop - 1] == "." and spelt.count(".") < 2:
            stop -= 1
        comma = "," in text.low[end : after.start(1)] or text.raw[after.start(1) : stop].isupper()
        region = names.STATES.get(spelt) if comma else None
        region = region or (spelt.title() if spelt in {s.lower() for s in names.STATES.values()} else None)
        country = names.COUNTRY_CODES.get(spelt)
        if region and (fitting := tuple(k for k in known if region in (k.region, k.city if k.kind == "region" else ""))):
            return fitting, stop
        if country and (fitting := tuple(k for k in known if k.country == country)):
            return fitting, stop
        code = names.AIRPORT_NAMES.get(spelt) or (spelt.upper() if text.raw[after.start(1) : stop].isupper() else "")
        if code and (fitting := tuple(k for k in known if code in k.codes)):
            return (gazetteer().airports[code],), stop
    return (), end


def _chinese(text: Text) -> list[Mention]:
    index = gazetteer().chinese
    low, i, out = text.low, 0, list[Mention]()
    while i < len(low) - 1:
        size = next((n for n in range(min(gazetteer().longest_chinese, len(low) - i), 1, -1) if low[i : i + n] in index), 0)
        if (
            not size
            or low.startswith(("航空", "航班号"), i + size)
            or (low.startswith("航", i + size) and not low.startswith("航班", i + size))
        ):
            i += max(size, 1)
            continue
        out.append(_chinese_mention(text, i, i + size))
        i = out[-1].end
    return out


def _chinese_mention(text: Text, start: int, end: int) -> Mention:
    spelt, known = text.low[start:end], tuple(gazetteer().chinese[text.low[start:end]])
    strong = spelt not in _ZH_WORDS and (known[0].weight >= _STRONG or bool(known[0].codes))
    if airport := _ZH_AIRPORT.match(text.low, end):
        inside = next((n for n in names_zh.ZH_AIRPORT_NAMES if n in text.low[start : airport.end()]), None)
        if inside:
            known = (gazetteer().airports[names_zh.ZH_AIRPORT_NAMES[inside]],)
        end, strong = airport.end(), True
    elif text.low.startswith(("市", "省"), end) and not text.low.startswith("市区", end):
        end += 1
    return Mention(start, end, text.raw[start:end], known, strong)


def nearest_spelling(words: str) -> tuple[Known, ...]:
    """The city a misspelt name most likely is; empty when nothing is near."""
    name = plain(words)
    if not 4 < len(name) < 26:
        return ()
    spellings = gazetteer().spellings
    best = process.extractOne(name, spellings, scorer=fuzz.ratio, score_cutoff=_SURE_OF_SPELLING)
    if best and best[0][0] == name[0]:
        return tuple(gazetteer().english[best[0]])
    return ()
