"""Operations: everything that can be asked of the server, as functions of a `Context`, without any network.

@operation over a function ─► declaration.registry ─► transport: HTTP routes, live frames, the OpenAPI document
arguments ─► function(context, caller, …) ─► transaction: rooms, sessions, accounts, the ledger
                          └─► context.fresh and context.notices, told after the commit
"""
