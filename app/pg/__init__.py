"""A library that several people share, in PostgreSQL. Only a server speaks to it; the driver is the extra `node`."""
