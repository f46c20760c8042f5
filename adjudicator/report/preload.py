"""What the processes that render reports load once, before they are divided."""

from . import html, pdf, text

__all__ = ["html", "pdf", "text"]

try:
    pdf._weasyprint()
except pdf.MissingLibraries:
    pass
