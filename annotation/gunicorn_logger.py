"""The logger of the web server."""

from gunicorn.config import Config
from gunicorn.glogging import Logger

from annotation.json_logs import JsonFormatter, chosen_formatter


class PrivateLogger(Logger):  # type: ignore[misc]
    """gunicorn's own messages, without the data of people."""

    def setup(self, cfg: Config) -> None:
        super().setup(cfg)
        formatter = chosen_formatter(self.error_fmt, self.datefmt)
        # A line of the access log is complete by itself, and in JSON the message of an object.
        handlers = self.error_log.handlers + (self.access_log.handlers if isinstance(formatter, JsonFormatter) else [])
        for handler in handlers:
            handler.setFormatter(formatter)
