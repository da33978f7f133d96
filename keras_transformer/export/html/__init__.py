"""Export of a run as a single HTML file that translates in a browser, or of a page for a server."""
