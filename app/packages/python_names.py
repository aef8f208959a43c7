"""The public names of a Python package: which module exports what, which bases classes have, and what their constructors take."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from app import caps
from app.library.packages import ALIAS, Symbol
from app.packages.python_api import Definition, Module, is_private, is_shown

MAX_SUMMARY_CHARS: Final = 1_200  # About 400 tokens.
MAX_STEPS: Final = 50  # Most modules through which a name is exported, and bases of a class.
MAX_RESOLVED: Final = 500_000
_ROLE: Final = re.compile(r":[\w:+-]{1,40}:`[~!]?([^`\n]{1,200})`")


def python_symbols(modules: Iterable[Module], pages: Mapping[str, str]) -> list[Symbol]:
    """Return the symbols of a package, public ones before private modules' and other names. `pages` are addresses by module."""
    known = {module.name: module for module in modules}
    defined = {
        f"{name}.{each.name}": (module, each) for name, module in known.items() for each in module.definitions.values()
    }
    return _Names(known, defined).symbols(pages)


def summary_of(text: str) -> str:
    """Return the beginning of a docstring, cut between lines, with roles as code."""
    plain = _ROLE.sub(r"`\1`", text[: 2 * MAX_SUMMARY_CHARS]).strip()
    if len(plain) <= MAX_SUMMARY_CHARS:
        return plain
    cut = plain[:MAX_SUMMARY_CHARS]
    return (cut.rpartition("\n")[0] or cut).rstrip() + " …"


@dataclass(slots=True)
class _Names:
    """Full names begin with the module that contains the definition."""

    modules: Mapping[str, Module]
    defined: Mapping[str, tuple[Module, Definition]]
    resolved: dict[str, str] = field(default_factory=dict)
    public: dict[str, str] = field(default_factory=dict)
    bases: dict[str, list[str]] = field(default_factory=dict)
    depth: int = 0

    def symbols(self, pages: Mapping[str, str]) -> list[Symbol]:
        exports = self._exports()
        self.public = {full: min([full, *names], key=_rank) for full, names in exports.items() if full in self.defined}
        definitions = self._shown_definitions()
        found = [self._symbol(full, *each, pages.get(each[0].name, "")) for full, each in definitions.items()]
        found.sort(key=lambda each: (is_private(each.name), each.kind in ("attribute", "variable")))
        found += [
            Symbol(name, "module", f"module {name}", summary_of(each.text), each.path, 1, pages.get(name, ""))
            for name, each in self.modules.items()
        ]
        aliases: list[tuple[str, str]] = []
        for full, (module, each) in self.defined.items():
            for owner, _, name in (member.rpartition(".") for member in each.borrowed):
                aliases.append((f"{self._shown(full)}.{name}", f"{self._known(module, owner)}.{name}"))
        aliases += [(name, full) for full, names in exports.items() for name in (full, *sorted(names))]
        found += [
            Symbol(name, ALIAS, leads_to=(self._shown(full),))
            for name, full in aliases
            if full in definitions or full not in self.defined
        ]
        # A definition precedes a module of the same name, as in the interpreter.
        return list({each.name: each for each in reversed(found)}.values())[::-1]

    def _shown_definitions(self) -> dict[str, tuple[Module, Definition]]:
        """Return the public definitions, documented private classes, and private bases of these, all with their public members."""
        classes = {
            base
            for full, (module, each) in self.defined.items()
            if each.kind == "class" and (module.is_public(each) or each.text)
            for base in self._ancestors(full)
        }
        return {
            full: (module, each)
            for full, (module, each) in self.defined.items()
            if module.is_public(each)
            or (
                f"{module.name}.{each.name.partition('.')[0]}" in classes
                and not is_private(each.name.partition(".")[2])
            )
        }

    def _symbol(self, full: str, module: Module, each: Definition, page: str) -> Symbol:
        signature, bases = each.signature, list[str]()
        if each.kind == "class":
            signature = "\n".join(filter(None, (signature, self._constructor(full))))
            bases = [self._shown(base) for base in self._bases(module, each)]
        if page and is_shown(each):
            page = f"{page}#{each.name}"
        name, text = self._shown(full), summary_of(each.text)
        return Symbol(name, each.kind, signature, text, module.path, each.line, page, tuple(bases))

    def _exports(self) -> dict[str, set[str]]:
        """Return names under which modules export what others define: packages, and modules without own definitions, export imports."""
        found: dict[str, set[str]] = {}
        count = 0
        for module in self.modules.values():
            own = module.definitions.items()
            has_own = any(each.kind in ("class", "function") and "." not in name for name, each in own)
            for local in self._locals(module) if not is_private(module.name) else ():
                name, full = f"{module.name}.{local}", self.resolve(local, module)
                is_known = full in self.defined or full in self.modules
                if full != name and (local in module.exported or (is_known and (module.is_package or not has_own))):
                    found.setdefault(full, set()).add(name)
                    count += 1
            if count > caps.MAX_API_SYMBOLS:
                break
        return found

    def _locals(self, module: Module) -> dict[str, None]:
        """Return the names that a module imports."""
        names, waiting, seen = dict.fromkeys(module.imports), [*module.stars], set[str]()
        while waiting and len(seen) < MAX_STEPS:
            star = self.modules.get(waiting.pop())
            if star is not None and star.name not in seen:
                seen.add(star.name)
                waiting += star.stars
                own = [name for name in star.definitions if "." not in name]
                names.update(dict.fromkeys(each for each in (*own, *star.imports) if not is_private(each)))
        return names

    def resolve(self, name: str, module: Module | None = None) -> str:
        """Return the full name of what a dotted name means, or a name in a module."""
        key = f"{module.name}:{name}" if module is not None else name
        if key not in self.resolved:
            if len(self.resolved) >= MAX_RESOLVED:
                return name
            self.resolved[key] = name  # Ends a circle of imports.
            self.depth += 1
            if self.depth <= MAX_STEPS:
                self.resolved[key] = self._in_module(module, name) if module is not None else self._dotted(name)
            self.depth -= 1
        return self.resolved[key]

    def _dotted(self, name: str) -> str:
        head, _, last = name.rpartition(".")
        owner = self.resolve(head) if head else ""
        if owner in self.modules:
            return self.resolve(last, self.modules[owner])
        return f"{owner}.{last}" if owner else last

    def _in_module(self, module: Module, name: str) -> str:
        full = f"{module.name}.{name}"
        source, _, imported = module.imports.get(name, "").partition(":")
        if name in module.definitions or (full in self.modules and f"{source}.{imported}" in (".", full)):
            return full
        if source in self.modules and imported:
            # A module of this name precedes what its package imports under the same name.
            return self.resolve(imported, self.modules[source])
        if source:
            return self.resolve(f"{source}.{imported}" if imported else source)
        for star in module.stars[:MAX_STEPS]:
            found = self.resolve(name, self.modules[star]) if star in self.modules else ""
            if found in self.defined or found in self.modules:
                return found
        return full

    def _shown(self, full: str) -> str:
        """Return the public name of a definition or a part of it."""
        head, rest = full, ""
        while head and head not in self.public:
            head, _, last = head.rpartition(".")
            rest = f".{last}{rest}"
        return f"{self.public[head]}{rest}" if head else full

    def _bases(self, module: Module, each: Definition) -> list[str]:
        """Return the full names of the bases of a class, those of other packages as imported."""
        key = f"{module.name}.{each.name}"
        if key not in self.bases:
            self.bases[key] = [self._known(module, base) for base in each.bases[:MAX_STEPS]]
        return self.bases[key]

    def _known(self, module: Module, name: str) -> str:
        """Return the full name of an expression in a module, or the name of something built in."""
        first, _, rest = name.partition(".")
        full = self.resolve(first, module)
        full = self.resolve(f"{full}.{rest}") if rest else full
        return full if full in self.defined or first in module.imports else name

    def _ancestors(self, full: str) -> list[str]:
        """Return a class and its bases in this package, nearest first."""
        waiting, seen = [full], dict[str, None]()
        while waiting and len(seen) < MAX_STEPS:
            name = waiting.pop()
            if name not in seen and name in self.defined:
                seen[name] = None
                waiting += reversed(self._bases(*self.defined[name]))
        return list(seen)

    def _constructor(self, full: str) -> str:
        """Return the signature of a constructor, also of an inherited one or one that a decorator makes."""
        fields: dict[str, str] = {}
        ancestors = [self.defined[name] for name in self._ancestors(full)]
        for module, each in ancestors:
            if (own := module.definitions.get(f"{each.name}.__init__")) is not None:
                return own.signature
            if each.fields is not None:
                for _, base in reversed(ancestors):
                    fields |= base.fields or {}
                return f"def {each.name}.__init__({', '.join(('self', *fields.values()))})"
        return ""


def _rank(name: str) -> tuple[bool, int, int, str]:
    """Return a key that orders the names of one definition: public and short ones first."""
    return is_private(name), name.count("."), len(name), name
