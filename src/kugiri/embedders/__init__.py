"""Embedders: texts as vectors of unit length, read from this machine and never from the network."""
