"""From a sweep file to the results of every configuration."""
