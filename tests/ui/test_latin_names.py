"""Names as a Chinese passport spells them: suggested, never decided."""

from __future__ import annotations

import pytest

from ui.latin_names import latin_name


@pytest.mark.parametrize(
    ("native", "spelt"),
    [
        ("吕小明", ("LYU", "XIAOMING")),
        ("徐女", ("XU", "NYU")),
        ("欧阳娜娜", ("OUYANG", "NANA")),
        ("單雄信", ("SHAN", "XIONGXIN")),
        ("尉迟恭", ("YUCHI", "GONG")),
        ("曾 国藩", ("ZENG", "GUOFAN")),
        ("任盈盈", ("REN", "YINGYING")),
    ],
)
def test_a_chinese_name_is_suggested_as_in_a_passport(native: str, spelt: tuple[str, str]) -> None:
    assert latin_name(native) == spelt


@pytest.mark.parametrize("native", ["", "李", "Tom", "Анна", "김민준", "李Tom", "さくら"])
def test_other_names_are_left_to_their_bearers(native: str) -> None:
    assert latin_name(native) is None
