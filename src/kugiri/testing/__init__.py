"""Drawn worlds for tests, ours and third parties'."""
