"""Reading from the web: addresses, policies, requests, search."""

from app.memory import leave_out

# Its command line, where the packages for it happen to be installed: 4 MB.
leave_out("httpx._main")
