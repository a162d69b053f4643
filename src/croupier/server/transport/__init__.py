"""Transport: how operations are asked for, over HTTP (`app`) and over WebSocket (`live`, `hub`).

HTTP request    ─► app ──┐ reading: origin, ┌─► running.requests.carry_out ─► JSON
WebSocket frame ─► live ─┘ depth, types ────┴─► running.requests.carry_out ─► frame
a commit        ─► hub ─► the new view, as a frame, to everybody who follows the room
"""
