"""Gradio's own parts in our colours; nearly all that is seen is styled by `static/layover.css`."""

from __future__ import annotations

from gradio.themes import Base, Color, Font

PINE = Color(
    "#eef5f3",
    "#d6e8e3",
    "#aed2c9",
    "#7db5a8",
    "#4c9486",
    "#2f7769",
    "#1f6154",
    "#194f45",
    "#153f38",
    "#12332e",
    "#0a1f1c",
    name="pine",
)
FONTS = ("-apple-system", "Segoe UI", "Inter", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", "sans-serif")


def theme() -> Base:
    """System fonts only: no request leaves for a font."""
    return Base(
        primary_hue=PINE,
        neutral_hue="stone",
        radius_size="md",
        font=[Font(name) for name in FONTS],
        font_mono=[Font("ui-monospace"), Font("SF Mono"), Font("Consolas"), Font("monospace")],
    ).set(
        body_background_fill="#f6f5f1",
        body_background_fill_dark="#131514",
        body_text_color="#1c2321",
        body_text_color_dark="#e9ece9",
    )
