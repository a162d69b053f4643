"""A compiler of the numeric subset to WebAssembly, and the modules that the page is served."""
