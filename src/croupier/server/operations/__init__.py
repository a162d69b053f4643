"""Operations: everything that can be asked of the server, as functions of a `Context`, without any network.

request ─► transport ─► running ─► an operation(context, …) ─► transaction: rooms, sessions, accounts, the ledger
                                          │
                                          └─► context.fresh and context.notices, told after the commit
"""
