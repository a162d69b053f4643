"""The browser client: plain ES modules, SVG and CSS, and how they are joined for a visitor."""
