"""The data model: arrays inside, frozen records at the edge, everything on one global axis of code points.

From segmenters to metrics only numpy columns travel; `Document`, `EvidenceSpan`, `Question` and `Chunk` exist in
readers and in what a person inspects. `tests/architecture` holds this.
"""
