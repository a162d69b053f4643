"""The wire: what the server and its clients tell each other, as types that both read; nothing here is believed."""
