"""The commands, a module each: what is typed, and what is printed."""
