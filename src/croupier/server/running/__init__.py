"""Running: how operations are carried out: requests, transactions in groups, background tasks, processes of bots.

request ─► requests.carry_out ─► service.change ─► the one writer: a batch in one transaction ─► commit ─► answer
                              │                                                                 └► listeners, cache
                              └► service.look ─► a reader's thread
background ─► due rooms, bots' moves, idle sessions, expired commitments ─► service.change
"""
