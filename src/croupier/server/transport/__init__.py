"""Transport: how operations are asked for, over HTTP (`app`, `routes`) and over WebSocket (`live`, `hub`).

HTTP request    ─► app ──► requests.authorize ─► an operation ─► JSON
WebSocket frame ─► live ─► live_actions ───────► an operation ─► frame
a commit        ─► hub ─► the new view, as a frame, to everybody who follows the room
"""
