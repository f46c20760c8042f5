"""Turn report models into HTML, plain text and PDF."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..core.report import Report
from ..core.words import _, speaking


class ReportError(Exception):
    """Reports cannot be made on this machine; the message says what to do."""


@dataclass(frozen=True)
class Produced:
    """One viewer's report in its three forms."""

    viewer: str
    html: str
    text: str
    pdf: bytes


def produce(reports: Sequence[Report], jobs: int | None = None) -> Iterator[Produced]:
    """Render reports, in their order, each as soon as it is ready.

    jobs: processes that work at the same time; None: as many as there are processors, and reports worth the trouble
    """
    reports = list(reports)
    wanted = min(len(reports), _processors() if jobs is None else jobs)
    if wanted > 1 and (jobs is not None or len(reports) > 2):
        yield from _in_processes(reports, wanted)
    else:
        for report in reports:
            yield _unwrap(_one(report))


def _one(report: Report) -> "Produced | str":
    """One report, or the reason why there is none."""
    from . import html, pdf, text
    with speaking(report.language):
        try:
            return Produced(report.viewer, html.render(report), text.render(report), pdf.render(report))
        except pdf.MissingLibraries as problem:
            return str(problem)


def _unwrap(result: "Produced | str") -> Produced:
    if isinstance(result, Produced):
        return result
    from .pdf import SYSTEM_PACKAGES
    raise ReportError(_("PDF reports need system libraries that WeasyPrint cannot find ({problem}). On Debian or Ubuntu: apt install {packages}").format(
        problem=result.strip().splitlines()[0] if result.strip() else "", packages=SYSTEM_PACKAGES))


def _in_processes(reports: list[Report], jobs: int) -> Iterator[Produced]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    done = 0
    try:
        with ProcessPoolExecutor(jobs, mp_context=_context()) as pool:
            for result in pool.map(_one, reports):
                done += 1
                yield _unwrap(result)
    except (OSError, ImportError, BrokenProcessPool):
        # no room for processes on this machine: one after another then
        for report in reports[done:]:
            yield _unwrap(_one(report))


def _context():
    import multiprocessing
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["adjudicator.report.preload"])
    return context


def _processors() -> int:
    import os
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
