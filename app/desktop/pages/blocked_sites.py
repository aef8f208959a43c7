"""Keeping a site from being read: one click on Activity, taken back with another."""

from __future__ import annotations

from app.desktop.context import Context
from app.desktop.language import translator
from app.desktop.wording import site_of
from app.errors import SettingsError

_tr = translator("Sites")
SETTING = "deny_hosts"


def blocked(context: Context) -> tuple[str, ...]:
    """The sites that are never read."""
    sites: tuple[str, ...] = context.settings.value(SETTING)
    return sites


def can_block(context: Context, url: str) -> bool:
    """Whether the page is on a site that is not blocked yet."""
    return url.startswith(("http://", "https://")) and site_of(url) not in blocked(context)


def block_site(context: Context, url: str) -> None:
    """Block the site of a page; its stored pages stay."""
    site = site_of(url)
    if not can_block(context, url) or not _save(context, (*blocked(context), site)):
        return
    words = _tr("{} is blocked: it is not read any more. Stored pages stay.")
    context.notifier.say(words.format(site), _tr("Undo"), lambda: unblock_site(context, site))


def unblock_site(context: Context, site: str) -> None:
    """Allow a site again."""
    _save(context, tuple(each for each in blocked(context) if each != site))


def _save(context: Context, sites: tuple[str, ...]) -> bool:
    try:
        context.settings.save(SETTING, sites)
    except SettingsError as error:
        context.notifier.complain(error)
        return False
    return True
