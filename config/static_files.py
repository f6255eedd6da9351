"""How static files are stored when they are collected."""

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hashed names also where one of our script modules imports another; other packages' stay as they are."""

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", ((r"""(?P<matched>from "(?P<url>\./[\w-]+\.js)")""", 'from "%(url)s"'),)),
    )
