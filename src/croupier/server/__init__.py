"""The table server: authoritative, durable, and safe to put on a network."""
