"""Readers and writers: the only place where files of corpora and questions are opened."""
