"""Storage of matches, sessions, accounts and chips: SQLite in one file, or PostgreSQL for many processes."""
