"""What all search providers share: the settings without which they cannot be asked, and a client of their server."""

from __future__ import annotations

from collections.abc import Mapping

from app.errors import SearchNotSetUpError
from app.web.search.client import Network, SearchClient, Service
from app.web.search.refusals import WHERE


class ServedProvider:
    """Asks one server. `needs` are settings by name; raises SearchNotSetUpError when one of them is empty."""

    def __init__(self, network: Network, service: Service, needs: Mapping[str, str]) -> None:
        missing = " and ".join(name for name, value in needs.items() if not value)
        if missing:
            raise SearchNotSetUpError(f"Web search with {service.title} needs {missing}.", hint=how_to_set(missing))
        self._client = SearchClient(service, network)

    async def aclose(self) -> None:
        await self._client.aclose()


def how_to_set(names: str) -> str:
    """The hint for settings that are missing."""
    return f"Ask the user to set {names} in {WHERE}, or to choose another provider there (SEARCH_PROVIDER)."
