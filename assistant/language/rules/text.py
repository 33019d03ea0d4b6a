"""One message, folded so that every grammar reads the same characters: same length as the original, so offsets agree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from ...domain.understanding import Language

READ_AT_MOST = 2000  # characters the grammars look at; nobody asks for a flight in more

# Traditional and simplified forms of the characters our grammars and city names use, so that 東京 and 东京 meet.
_FORMS = (
    "從从 飛飞 機机 個个 兩两 張张 號号 週周 點点 訂订 買买 達达 這这 還还 嗎吗 們们 經经 濟济 務务 頭头 艙舱 單单 "
    "雙双 過过 邊边 後后 間间 來来 開开 離离 無无 論论 門门 選选 擇择 換换 轉转 話话 說说 請请 問问 總总 幾几 歲岁 "
    "兒儿 嬰婴 媽妈 東东 紐纽 約约 倫伦 廣广 灣湾 臺台 羅罗 馬马 蘭兰 長长 連连 漢汉 寧宁 陽阳 陰阴 慶庆 齊齐 龍龙 "
    "蘇苏 鄭郑 貴贵 縣县 區区 島岛 關关 應应 該该 爾尔 濱滨 麗丽 諾诺 韓韩 國国 歐欧 魯鲁 亞亚 舊旧 錦锦 華华 會会 "
    "廈厦 韋韦 盧卢 聖圣 彌弥 維维 倉仓 遼辽 寶宝 雞鸡 時时 當当 變变 動动 員员 價价 錢钱 優优 訊讯 記记 憶忆 樣样 "
    "較较 級级 團团 圓圆 節节 內内 網网 絡络 線线 鐵铁 車车 館馆 廳厅 氣气 醫医 標标 準准 給给 幫帮 讓让 為为 謝谢 "
    "沒没 對对 錯错 認认 確确 續续 繼继 產产 業业 飯饭 場场 願愿 議议 講讲 預预 備备 歡欢 樂乐 實实 際际 學学 術术 "
    "運运 輸输 計计 劃划 適适 啟启"
)
_FOLD: dict[int, int | str] = {
    **{ord(pair[0]): pair[1] for pair in _FORMS.split()},
    **{0xFF01 + i: chr(0x21 + i) for i in range(94)},
    **dict.fromkeys((0x2010, 0x2011, 0x2013, 0x2014, 0x2212), "-"),
    **dict.fromkeys((0x2018, 0x2019), "'"),
    **dict.fromkeys((0x201C, 0x201D), '"'),
    **dict.fromkeys((0x3000, 0xA0, ord("\t"), ord("\r")), " "),
    ord("。"): "。",
    ord("，"): "，",
    ord("！"): "！",
    ord("？"): "？",
    ord("；"): "；",
    ord("："): ":",
}

_FILLERS = re.compile(r"(?:, ?)?\b(?:u+[mh]+|er+m+|hm+)\b(?:,|\.{2,})? ?", re.IGNORECASE)
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?(?:\n ?)+")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN_WORD = re.compile(r"[a-z]{2,}")
_SENTENCE_END = re.compile(r"[!?。！？；;\n]+|(?<!\.\w)(?<!\b\w)(?<!\bst)(?<!\bft)(?<!\bmt)(?<!\bmr)(?<!\bdr)\.+(?=\s|$)")
_CLAUSE_END = re.compile(r"[,，、;；!?。！？\n]|\.(?=\s|$)")


def word_set(*lines: str) -> frozenset[str]:
    """A set of words, written as prose."""
    return frozenset(" ".join(lines).split())


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
    text = _FILLERS.sub(" ", text[: 4 * READ_AT_MOST])
    return Text(_LINES.sub("\n", _BLANKS.sub(" ", text))[:READ_AT_MOST])
