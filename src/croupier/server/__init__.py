"""The table server: authoritative, durable, and safe to put on a network.

Four rooms, each of which imports only those below it, then `problems` and `settings`:

    process      how it is started and watched
    transport    how operations are asked for, over HTTP and live connections
    running      how they are carried out: transactions, the cache of matches, background tasks
    operations   what can be asked
"""
