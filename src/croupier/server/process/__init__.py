"""Process: how a server is started, watched and stopped: settings to sockets, logs, metrics, limits of the system.

settings ─► serve: store, service, hub, live, app ─► two ports: the API and the page; metrics and probes
bytes    ─► protocols: a slice a turn, bounded ─► transport
signal   ─► nobody new, good-bye to live connections, what was taken on is written, the store is let go
"""
