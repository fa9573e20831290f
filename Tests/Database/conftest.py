from collections.abc import Callable, Iterator

import pytest

from postgresql import PostgreSQL
from zoo import BINARY, Zoo


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    server = PostgreSQL()
    yield server
    server.stop()


@pytest.fixture
def database(postgresql) -> str:
    """The address of an empty database."""
    return postgresql.create_database()


@pytest.fixture
def make_zoo(tmp_path) -> Iterator[Callable[..., Zoo]]:
    """Makes zoos with directories of their own. What they serve ends with the test."""
    assert BINARY.exists(), f"{BINARY} is missing: run `make build` first."
    made = []

    def make(database: str | None = None) -> Zoo:
        directory = tmp_path / f"zoo{len(made)}"
        directory.mkdir()
        made.append(Zoo(directory, database))
        return made[-1]

    yield make
    for zoo in made:
        zoo.kill()


@pytest.fixture
def zoo(make_zoo, database) -> Zoo:
    """A zoo with a store in a database."""
    return make_zoo(database)
