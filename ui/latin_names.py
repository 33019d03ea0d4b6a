"""How a name of Chinese characters is spelt in a passport: a suggestion, which the traveller checks."""

from __future__ import annotations

from pypinyin import Style, lazy_pinyin

_DOUBLE = """
欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 濮阳 公冶
太叔 申屠 公孙 慕容 仲孙 钟离 长孙 宇文 司徒 鲜于 司空 闾丘 子车 亓官 司寇 巫马 公西 颛孙 壤驷 公良
漆雕 乐正 宰父 谷梁 拓跋 轩辕 令狐 段干 百里 呼延 东郭 南门 羊舌 微生 公户 公玉 梁丘 左丘 东门 西门
歐陽 司馬 東方 諸葛 尉遲 長孫 鮮于 濮陽 鍾離
"""
_DOUBLE_SURNAMES = frozenset(_DOUBLE.split())
# Surnames read another way than the same character elsewhere: reading, then the surnames in both scripts.
_READINGS = """
shan 单 單
qiu 仇
zeng 曾
xie 解
zha 查
ou 区 區
ren 任
piao 朴
ge 盖 蓋
qin 覃
zhai 翟 祭
yue 乐 樂
miao 缪 繆
yuchi 尉迟 尉遲
moqi 万俟
zhangsun 长孙 長孫
tantai 澹台
yao 么
yun 员 員
xian 洗 冼
bi 秘
chong 种 重
he 黑
she 折
chu 褚
cheng 晟
ji 纪
ning 宁
"""
_READ_AS = {surname: line.split()[0] for line in _READINGS.split("\n") for surname in line.split()[1:]}


def latin_name(native: str) -> tuple[str, str] | None:
    """(family, given), 吕小明 -> LYU, XIAOMING. None for other scripts.

    Characters with several readings may be read another way by who bears them.
    """
    name = "".join(native.split()).replace("·", "")
    if not 2 <= len(name) <= 10 or not all("\u3400" <= c <= "\u9fff" for c in name):
        return None
    size = 2 if len(name) > 2 and name[:2] in _DOUBLE_SURNAMES else 1
    family, given = name[:size], name[size:]
    return (_READ_AS.get(family) or _spelt(family)).upper(), _spelt(given).upper()


def _spelt(characters: str) -> str:
    """Passports write ü as yu after l and n: lyu, nyue."""
    return "".join(lazy_pinyin(characters, style=Style.NORMAL, v_to_u=False)).replace("v", "yu").replace("ü", "yu")
