"""Cookie consent dialogs never become part of a page."""

from __future__ import annotations

import time

import pytest

from app.extract import extract

PROSE = "The lantern workshop keeps a careful ledger of every lamp that leaves the bench, with the date and the wick. "
ASKED = (
    "This website uses cookies. We and our partners store and access information on a device, such as cookies, and process personal"
    " data for personalised ads and content measurement. "
)
NAMED = (
    'id="CybotCookiebotDialog"', 'id="onetrust-banner-sdk"', 'class="osano-cm-window"', 'id="usercentrics-root"',
    'id="qc-cmp2-container"', 'id="didomi-host"', 'id="truste-consent-track"', 'class="cc-window"', 'id="sp_message_container_123"',
    'id="cmplz-cookiebanner-container"', 'id="cookie-law-info-bar"', 'class="iubenda-cs-container"', 'id="klaro"',
    'id="BorlabsCookieBox"', 'id="tarteaucitronRoot"', 'class="fc-consent-root"', 'id="cookiescript_injected"',
    'id="hs-eu-cookie-confirmation"', 'class="evidon-banner"', 'id="moove_gdpr_cookie_info_bar"', 'id="cmpbox"',
    'role="dialog" aria-label="Cookies"', 'role="alertdialog"', 'class="js-consentBanner"', 'class="privacyPrompt"',
    'class="css-1x2y3z"',
)  # fmt: skip


def text_of(body: str) -> str:
    page = f"<html><head><title>Lamps</title></head><body>{body}</body></html>"
    return extract(page.encode(), url="https://h.example/", content_type="text/html", charset="utf-8").text


@pytest.mark.parametrize("named", NAMED)
@pytest.mark.parametrize("wrapped", ["<main>{}</main>", '<div class="wrap">{}</div>'])
@pytest.mark.parametrize("times", [1, 6])
def test_a_consent_dialog_of_any_length_is_excluded(named: str, wrapped: str, times: int) -> None:
    dialog = f"<div {named}><h2>Cookies</h2><p>{ASKED * times}</p><button>Accept all</button></div>"
    content = wrapped.format("<h1>Lamps</h1><p>The burner reaches 653 degrees.</p>" + f"<p>{PROSE}</p>")
    for body in (dialog + content, content + dialog):
        text = text_of(body)
        assert "cookies" not in text and "653 degrees" in text


@pytest.mark.parametrize(
    ("asked", "label"),
    [
        ("Ta strona używa plików cookie w celu analizy ruchu. ", "Zgadzam się"),
        ("Tento web používá soubory cookie k analýze. ", "Souhlasím"),
        ("Мы используем файлы cookie для аналитики. ", "Принять все"),
        ("当サイトではクッキーを使用しています。", "すべてに同意する"),
        ("我们使用 Cookie 分析流量。", "全部接受"),
        ("이 사이트는 쿠키를 사용합니다. ", "모두 동의"),
    ],
)
@pytest.mark.parametrize(
    "choice",
    ["<button>{}</button>", "<a href=#>{}</a>", "<a href=/yes role=button>{}</a>", "<a href='javascript:ok()'>{}</a>"],
)
def test_consent_dialogs_in_many_languages_are_excluded(asked: str, label: str, choice: str) -> None:
    dialog = f"<div class=cookie-notice><p>{asked * 8}</p>{choice.format(label)}</div>"
    text = text_of(f"{dialog}<h1>Lamps</h1><p>The burner reaches 653 degrees.</p><p>{PROSE}</p>")
    assert asked.strip() not in text and "653 degrees" in text


@pytest.mark.parametrize(
    "dialog",
    [
        "<cmp-banner><p>{}</p><button>Accept</button></cmp-banner>",
        "<div><my-consent><p>{}</p><a href=#>Accept</a></my-consent></div>",
        "<x-host><template shadowrootmode=open><style>p {{}}</style><p>{}</p><button>Accept</button></template></x-host>",
        "<ul class=cookie-list><li>{}</li><li><button>Accept</button></li></ul>",
        "<p id=cookie-notice>{} <a href=#>Accept</a></p>",
        "<div><p>{}</p><span role=button>Accept</span></div>",
        "<div><p>{}</p><div class=btn-main tabindex=0>Accept</div></div>",
    ],
)
@pytest.mark.parametrize("page", ["{}{}", "<div id=root><div class=app>{}<div>{}</div></div></div>"])
def test_any_element_may_be_a_dialog(dialog: str, page: str) -> None:
    text = text_of(
        page.format(dialog.format(ASKED * 4), f"<h1>Lamps</h1><p>{PROSE}</p><p>The burner reaches 653 degrees.</p>")
    )
    assert "cookies" not in text and "653 degrees" in text


def test_a_dialog_with_the_only_main_heading_is_excluded() -> None:
    dialog = f"<div role=dialog><h1>We value your privacy</h1><p>{ASKED}</p><button>Accept</button></div>"
    assert "privacy" not in text_of(f"<main><h2>Lamps</h2><p>{PROSE}</p></main>{dialog}")


@pytest.mark.parametrize(
    "body",
    [
        f'<article class="cookie-guide"><h1>How cookies work</h1><p>{ASKED}</p><button>Accept</button></article>',
        f'<div class="content"><h1>Cookie policy</h1><p>{ASKED}</p><a href="/accept">Accept cookies</a></div>',
        f"<div><h2>Privacy</h2><p>{ASKED}</p></div><p>{PROSE}</p>",
        f'<h1>HTTP</h1><section id="cookies"><h2>Cookies</h2><p>{ASKED}</p><a href="/accept">Accept headers</a></section>',
        f'<h1>HTTP</h1><div><p>{ASKED}</p><a href="#allow">Allowed names</a></div>',
    ],
)
def test_a_page_about_cookies_is_read(body: str) -> None:
    assert "store and access information" in text_of(body)


def test_nested_elements_are_checked_in_limited_time() -> None:
    body = '<div class="cookie">' * 200 + "words " * 40_000 + "</div>" * 200
    began = time.process_time()
    assert "words" in text_of(body)
    assert time.process_time() - began < 5
