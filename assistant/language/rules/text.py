"""One message, folded so that every grammar reads the same characters: same length as the original, so offsets agree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from ...domain.understanding import Language

READ_AT_MOST = 2000  # characters the grammars look at; nobody asks for a flight in more

# Traditional forms of the characters our grammars use. City names are folded by the same table, so 東京 and 东京 meet.
_TRADITIONAL = "從飛機個兩張號週點訂買達這還嗎們經濟務頭等艙單雙過靠邊過後間個來來開離無論門選擇換轉話說請問總幾歲兒嬰媽爸妻"
_SIMPLIFIED = "从飞机个两张号周点订买达这还吗们经济务头等舱单双过靠边过后间个来来开离无论门选择换转话说请问总几岁儿婴妈爸妻"
_TRADITIONAL += (
    "東紐約倫敦廣門灣臺台羅馬蘭長連無漢濟寧陽陰慶齊龍蘇鄭貴縣區島關應該爾濱麗諾韓國歐魯亞舊錦華會廈徐韋盧聖彌維倉遼寶雞"
)
_SIMPLIFIED += (
    "东纽约伦敦广门湾台台罗马兰长连无汉济宁阳阴庆齐龙苏郑贵县区岛关应该尔滨丽诺韩国欧鲁亚旧锦华会厦徐韦卢圣弥维仓辽宝鸡"
)
_TRADITIONAL += "後時間週號當變動員價錢貴優惠訊記憶樣較級團圓節國內網絡線鐵車館餐廳氣醫標準給幫讓為謝沒對錯認確續繼產業飯場願議論講預備歡樂實際學術運輸計劃適應啟"
_SIMPLIFIED += "后时间周号当变动员价钱贵优惠讯记忆样较级团圆节国内网络线铁车馆餐厅气医标准给帮让为谢没对错认确续继产业饭场愿议论讲预备欢乐实际学术运输计划适应启"

_FOLD = {ord(t): s for t, s in zip(_TRADITIONAL, _SIMPLIFIED, strict=True)}
_FOLD |= {0xFF01 + i: chr(0x21 + i) for i in range(94)}
_FOLD |= {
    0x3000: " ",
    0xA0: " ",
    0x2018: "'",
    0x2019: "'",
    0x201C: '"',
    0x201D: '"',
    0x2010: "-",
    0x2011: "-",
    0x2013: "-",
    0x2014: "-",
    0x2212: "-",
}
_FOLD |= {0x3002: "。", 0xFF0C: "，", 0xFF01: "！", 0xFF1F: "？", 0xFF1B: "；", 0xFF1A: ":", ord("\t"): " ", ord("\r"): " "}

_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN_WORD = re.compile(r"[a-z]{2,}")
_SENTENCE_END = re.compile(r"[!?。！？；;\n]+|(?<!\.\w)(?<!\b\w)(?<!\bst)(?<!\bft)(?<!\bmt)(?<!\bmr)(?<!\bdr)\.+(?=\s|$)")
_CLAUSE_END = re.compile(r"[,，、;；!?。！？\n]|\.(?=\s|$)")


def fold(text: str) -> str:
    """Half-width, simplified where our grammars care, lower case; never changes the length."""
    folded = text.translate(_FOLD)
    lowered = folded.lower()
    return lowered if len(lowered) == len(folded) else "".join(c.lower() if len(c.lower()) == 1 else c for c in folded)


@dataclass(frozen=True)
class Sentence:
    start: int
    end: int
    question: bool


@dataclass(frozen=True)
class Text:
    """`raw` as typed (cut to what we read), `low` folded; both of the same length."""

    raw: str

    @cached_property
    def low(self) -> str:
        return fold(self.raw)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        out: list[Sentence] = []
        start = 0
        for end in _SENTENCE_END.finditer(self.low):
            if self.low[start : end.start()].strip():
                out.append(Sentence(start, end.end(), "?" in end.group() or "？" in end.group()))
            start = end.end()
        if self.low[start:].strip():
            out.append(Sentence(start, len(self.low), False))
        return tuple(out)

    def sentence_at(self, offset: int) -> Sentence:
        return next((s for s in self.sentences if s.start <= offset < s.end), Sentence(0, len(self.low), False))

    def before(self, offset: int, *, at_most: int = 60) -> str:
        """The folded words of the same sentence before an offset."""
        return self.low[max(self.sentence_at(offset).start, offset - at_most) : offset]

    def after(self, offset: int, *, at_most: int = 40) -> str:
        return self.low[offset : min(self.sentence_at(max(offset - 1, 0)).end, offset + at_most)]

    def clause(self, start: int, end: int) -> str:
        """The folded words between the commas and stops around a span."""
        sentence = self.sentence_at(start)
        left = max((m.end() for m in _CLAUSE_END.finditer(self.low, sentence.start, start)), default=sentence.start)
        right = _CLAUSE_END.search(self.low, end, sentence.end)
        return self.low[left : right.start() if right else sentence.end]

    @cached_property
    def language(self) -> Language:
        """Of the reply: Chinese as soon as the grammar is Chinese, city names in the other script do not count much."""
        han = len(_HAN.findall(self.raw))
        return "zh" if han and han >= len(_LATIN_WORD.findall(self.low)) else "en"

    @cached_property
    def has_han(self) -> bool:
        return bool(_HAN.search(self.raw))


def read(text: str) -> Text:
    return Text(text[:READ_AT_MOST])
