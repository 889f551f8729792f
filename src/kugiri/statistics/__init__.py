"""One file a procedure: arrays in, numbers out."""
