"""Running: how operations are carried out: transactions in groups, the cache of matches, background tasks, bots.

operation ─► service.change ─► the one writer: a batch in one transaction ─► commit ─► listeners, cache
          └► service.look   ─► a reader's thread, or the event loop
background ─► due rooms, bots' moves, idle sessions, expired commitments ─► service.change
"""
