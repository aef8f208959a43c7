"""What the program needs of a store of pages: the protocol that each store fulfils, and the records that cross it."""
