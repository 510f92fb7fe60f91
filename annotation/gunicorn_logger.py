"""The logger of the web server."""

from gunicorn.config import Config
from gunicorn.glogging import Logger

from annotation.private_logs import PrivateFormatter


class PrivateLogger(Logger):  # type: ignore[misc]
    """gunicorn's own messages, without the data of people."""

    def setup(self, cfg: Config) -> None:
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(PrivateFormatter(self.error_fmt, self.datefmt))
