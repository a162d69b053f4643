"""Processes beside a server under measure: those who play, and those who flood."""
