"""A public set of questions over documentation sites that come from Debian's packages; README.md tells how it is written and run."""
