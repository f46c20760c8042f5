"""Post offices: one mailbox and the campaigns that share it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ...core.names import fold
from ...core.words import _
from ...mail.reading import Ours
from ...store import turns
from ...store.folder import SETTINGS, Folder
from ...store.trouble import Trouble
from .settings import MAIL_SETTINGS, MailSettings, read_mail_settings

MAIL = "mail"
"""The folder of the mail, in a campaign's folder and in a post office's."""


@dataclass
class PostOffice:
    """One mailbox. folder: where mail.yaml stands, or the only campaign's folder; campaigns: their folders, by name."""

    folder: Path
    settings: MailSettings
    campaigns: list[Path] = field(default_factory=list)

    @property
    def mail(self) -> Path:
        return self.folder / MAIL

    @property
    def new(self) -> Path:
        """Messages that are on disk and not yet dealt with."""
        return self.mail / "new"

    @property
    def old(self) -> Path:
        """Messages that were dealt with, as they came."""
        return self.mail / "old"

    @property
    def records(self) -> Path:
        """Records of messages that belong to no campaign."""
        return self.mail / "in"

    @property
    def ours(self) -> Ours:
        return Ours((self.settings.address.lower(),), self.settings.domain)

    @cached_property
    def by_id(self) -> dict[str, list[Path]]:
        """A campaign's id, folded -> the folders of that id. Found without campaign.yaml, so that a mistake there sends nobody's orders away."""
        found: dict[str, list[Path]] = {}
        for path in self.campaigns:
            found.setdefault(fold(campaign_id(path)), []).append(path)
        return found


def campaign_id(path: Path) -> str:
    """The id that a campaign was begun with; its folder's name if even that cannot be read."""
    try:
        return turns.read_manifest(Folder(path), 0).campaign
    except (Trouble, OSError):
        return path.name


def is_campaign(path: Path) -> bool:
    return (path / SETTINGS).is_file() or (path / "turns" / "0000").is_dir()


def campaigns_in(path: Path) -> list[Path]:
    """The campaign folders directly in a folder, by name."""
    if not path.is_dir():
        return []
    return sorted(each for each in path.iterdir() if each.is_dir() and not each.name.startswith(".") and is_campaign(each))


def post_office_of(path: Path) -> PostOffice:
    """The post office of a campaign: its own mail.yaml, or the one in the folder above, which its neighbours share; without any, the campaign alone."""
    path = path.absolute()
    if not is_campaign(path):
        raise Trouble(_("{path} is no campaign folder: there is no {name} in it").format(path=path, name=SETTINGS),
                      _("give the folder of a campaign; for all campaigns in a folder: --all"))
    if (path / MAIL_SETTINGS).is_file():
        return PostOffice(path, read_mail_settings(path / MAIL_SETTINGS), [path])
    if (path.parent / MAIL_SETTINGS).is_file():
        return _shared(path.parent)
    return PostOffice(path, MailSettings(), [path])


def post_offices_in(path: Path, broken: Callable[[Path, Trouble], None] | None = None) -> list[PostOffice]:
    """Every post office of the campaigns in a folder: the shared one first, then those of campaigns with a mail.yaml of their own, or without any.

    broken: is told of each whose mail.yaml has mistakes; without it, the first of them is raised
    """
    def office(make: Callable[[Path], PostOffice], folder: Path) -> list[PostOffice]:
        try:
            return [make(folder)]
        except Trouble as trouble:
            if broken is None:
                raise
            broken(folder, trouble)
            return []

    path = path.absolute()
    if is_campaign(path):
        return [post_office_of(path)]
    campaigns = campaigns_in(path)
    if not campaigns:
        raise Trouble(_("there is no campaign in {path}").format(path=path), _("give a folder that holds campaign folders"))
    is_shared = (path / MAIL_SETTINGS).is_file()
    own = [each for each in campaigns if not is_shared or (each / MAIL_SETTINGS).is_file()]
    return [*(office(_shared, path) if is_shared else []), *(each for folder in own for each in office(post_office_of, folder))]


def _shared(path: Path) -> PostOffice:
    return PostOffice(path, read_mail_settings(path / MAIL_SETTINGS), [each for each in campaigns_in(path) if not (each / MAIL_SETTINGS).is_file()])
