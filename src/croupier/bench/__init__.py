"""Benchmarks against peers, measured side by side in one run and told as ratios."""
