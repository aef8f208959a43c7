"""Pages are untrusted: nothing is loaded, nothing runs, links open outside."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument
from pytestqt.qtbot import QtBot

from app.desktop import preview as module
from app.desktop.preview import Preview

HOSTILE = """# Title

![tracker](https://evil.example/pixel.png "x") and ![](file:///etc/passwd)

<img src="https://evil.example/pixel2.png"><script>alert(1)</script>

A [link](https://a.example/), a [trap](javascript:alert(1)) and [a file](file:///etc/passwd).

| a | b |
|---|---|
| 1 | 2 |

```
code <b>here</b>
second line
```

After the code.
"""


@pytest.fixture
def preview(qtbot: QtBot) -> Preview:
    made = Preview("Text")
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    return made


def test_nothing_is_loaded(preview: Preview, monkeypatch: pytest.MonkeyPatch) -> None:
    preview.show_text(HOSTILE)
    preview.grab()
    for address in ("https://evil.example/pixel.png", "file:///etc/passwd"):
        for kind in QTextDocument.ResourceType:
            assert not preview.document().resource(kind.value, QUrl(address))
    html = preview.toHtml()
    assert "<img" not in html
    assert "pixel" not in html.replace("&lt;img src=&quot;https://evil.example/pixel2.png", "")


def test_raw_html_stays_text(preview: Preview) -> None:
    preview.show_text(HOSTILE)
    text = preview.toPlainText()
    assert "code <b>here</b>" in text
    assert "After the code." in text
    assert "<script>" not in preview.toHtml()


def test_only_web_links_are_followed(preview: Preview, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", staticmethod(lambda url: opened.append(url.toString())))
    for address in ("https://a.example/", "javascript:alert(1)", "file:///etc/passwd", "webrag://guide/x"):
        preview.anchorClicked.emit(QUrl(address))
    assert opened == ["https://a.example/"]
    assert preview.source().isEmpty()


def test_long_pages_are_cut_and_say_so(preview: Preview) -> None:
    preview.show_text("word " * module.SHOWN_CHARS)
    assert preview.is_cut
    assert len(preview.toPlainText()) <= module.SHOWN_CHARS


@pytest.mark.parametrize(
    "text", ["", "```\nopen fence", "# \n\n- \n  - a\n", "|a|\n|-|", "\x00\ufffd" * 50, "```\na\n```\n\n```\nb\n```"]
)
def test_odd_markdown_is_shown_without_harm(preview: Preview, text: str) -> None:
    preview.show_text(text)
    preview.grab()
