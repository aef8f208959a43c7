"""A shared library in PostgreSQL. Only nodes connect to it; the driver comes with the extra `node`."""
