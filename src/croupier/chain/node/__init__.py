"""Running nodes: homes on disk, CometBFT, the RPC client, networks on one machine, the observer."""
