"""Passwords from the keyring of the machine, where there is one."""


def from_keyring(service: str, name: str) -> str:
    """The password that is filed under service and name; "" if there is none, or no keyring that could be asked."""
    try:
        import keyring
    except ImportError:
        return ""
    try:
        return keyring.get_password(service, name) or ""
    except Exception:  # a keyring that nobody has opened, as under cron, is as good as none
        return ""
