"""Process: how a server is started, watched and stopped: settings to sockets, logs, metrics, limits of the system."""
