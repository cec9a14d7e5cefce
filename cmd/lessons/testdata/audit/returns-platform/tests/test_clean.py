from factories import events

from returns.clean import drop_duplicates, name_reasons


def test_duplicates_are_dropped() -> None:
    assert drop_duplicates(events(2).vstack(events(2))).height == 2


def test_reasons_get_names() -> None:
    assert name_reasons(events(1))["reason"].to_list() == ["damaged"]
