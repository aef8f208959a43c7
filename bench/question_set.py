"""The public question set of bench/docqa: download its sites, show their pages, check its questions.

    python bench/question_set.py make [SITE...] [--cache FOLDER]
    python bench/question_set.py check [FILE...] [--cache FOLDER]
    python bench/question_set.py pages SITE [--cache FOLDER]
    python bench/question_set.py text SITE PATH [--cache FOLDER]
    python bench/question_set.py links SITE PATH [--cache FOLDER]

`make` downloads Debian packages with apt-get, checks them against pinned hashes and unpacks their pages in FOLDER/sites. It returns 3 if
apt or a package is not available. `check` tests the records; spans and links only for downloaded sites, which it lists. It returns 1 if
something is wrong. bench/docqa/README.md describes how to write questions.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from docqa.check import check_pages, check_records, counts, goals, on_short_pages, read_records
from docqa.pages import SitePages
from docqa.sites import QUESTIONS, SiteError, default_cache, folder_of, is_made, make, read_sites
from support.report import print_report

NOT_MADE = 3


def make_sites(names: list[str], cache: Path) -> int:
    """Download the sites in turn. Report sites that are not available and continue with the others."""
    sites, failed = read_sites(), 0
    for name in names or sites:
        if name not in sites:
            print(f"Unknown site {name}. Sites: {', '.join(sites)}.", file=sys.stderr)
            return 2
        try:
            print(f"{name}: {make(sites[name], cache)} pages, {sites[name].split}", flush=True)
        except SiteError as error:
            print(error, file=sys.stderr)
            failed += 1
    print(f"{len(names or sites) - failed} sites are in {folder_of(cache)}")
    return NOT_MADE if failed else 0


def check(files: list[Path], cache: Path) -> int:
    """Print the errors, then the number of questions of each kind."""
    sites = read_sites()
    records, faults = read_records(files or sorted(QUESTIONS.glob("*.jsonl")))
    faults += check_records(records, sites)
    made = [site for site in dict.fromkeys(r.site for r in records) if site in sites and is_made(sites[site], cache)]
    remarks = []
    for site in made:
        pages, own = SitePages(folder_of(cache) / site), [r for r in records if r.site == site]
        faults += check_pages(own, pages)
        remarks.append(on_short_pages(own, pages))
    for line in (*faults, *filter(None, remarks)):
        print(line)
    rows = [*counts(records, sites), *([] if files else goals())]
    title = (
        f"{len(records)} questions; spans and links checked on {len(made)} of {len({r.site for r in records})} sites"
    )
    print_report(rows, as_json=False, title=f"{title}; {len(faults)} faults")
    return 1 if faults else 0


def look(options: argparse.Namespace) -> int:
    """Print the pages of a site, or the text or the links of a page."""
    sites = read_sites()
    if options.site not in sites or not is_made(sites[options.site], options.cache):
        print(f"{options.site} is missing. Run bench/question_set.py make {options.site}", file=sys.stderr)
        return NOT_MADE
    pages = SitePages(folder_of(options.cache) / options.site)
    if options.command == "pages":
        for path in pages.paths():
            print(f"{len(pages.text(path)):>8}  {path}  {pages.title(path)}")
    elif not pages.has(options.path):
        print(f"{options.site} has no page {options.path}.", file=sys.stderr)
        return 2
    elif options.command == "text":
        print(pages.text(options.path))
    else:
        for target, words in pages.links(options.path).items():
            print(f"{target}  {words}")
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("make").add_argument("names", nargs="*", metavar="SITE")
    commands.add_parser("check").add_argument("files", nargs="*", type=Path, metavar="FILE")
    for name in ("pages", "text", "links"):
        commands.add_parser(name).add_argument("site", metavar="SITE")
    for name in ("text", "links"):
        commands.choices[name].add_argument("path", metavar="PATH")
    for command in commands.choices.values():
        command.add_argument("--cache", type=Path, default=default_cache(), metavar="FOLDER")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if options.command == "make":
        return make_sites(options.names, options.cache)
    if options.command == "check":
        return check(options.files, options.cache)
    return look(options)


if __name__ == "__main__":
    sys.exit(main())
