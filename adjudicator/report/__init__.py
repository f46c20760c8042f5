"""Turn a report model into HTML, plain text and PDF."""
