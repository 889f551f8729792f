"""Which questions a chunking loses, and why: everything that follows from spans and chunks alone."""
