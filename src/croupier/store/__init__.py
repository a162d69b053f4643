"""Where matches, sessions, accounts and chips are kept: SQLite in one file, or PostgreSQL for many processes."""
