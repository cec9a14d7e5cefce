"""Settings from the environment."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    warehouse_url: str
    bucket: str


def load_settings() -> Settings:
    return Settings(os.environ["RETURNS_WAREHOUSE_URL"], os.environ["RETURNS_BUCKET"])
