"""Schedules the daily run."""

from airflow.decorators import dag, task
from pendulum import datetime


@dag(schedule="0 4 * * *", start_date=datetime(2026, 1, 1), catchup=False, default_args={"owner": "returns"})
def returns_daily() -> None:
    @task
    def run(day: str) -> None: ...

    run("{{ ds }}")


returns_daily()
