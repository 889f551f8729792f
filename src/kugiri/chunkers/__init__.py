"""Strategies: components that turn a corpus into a `Chunking`."""
