from collections.abc import Iterator

import pytest

from client import Client
from proxies import Caddy, Certificate, Nginx, Proxy
from zoo import BINARY, USER, Zoo, add_user


@pytest.fixture(scope="session")
def certificate(tmp_path_factory) -> Certificate:
    return Certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="module", params=[Nginx, Caddy], ids=["nginx", "caddy"])
def proxy(request, certificate, tmp_path_factory) -> Iterator[Proxy]:
    proxy = request.param(tmp_path_factory.mktemp(request.param.name), certificate)
    yield proxy
    proxy.stop()


@pytest.fixture(scope="module")
def zoo(proxy, tmp_path_factory) -> Iterator[Zoo]:
    assert BINARY.exists(), f"{BINARY} is missing: run `make build` first."
    zoo = Zoo(tmp_path_factory.mktemp("zoo"), proxy.port)
    add_user(zoo.data, password=None)
    zoo.start()
    proxy.start(backend=zoo.port)
    yield zoo
    zoo.kill()


@pytest.fixture(scope="module")
def session(zoo, proxy) -> dict[str, str]:
    """The cookies of a signed-in account."""
    client = Client(proxy)
    assert client.follow(zoo.link(USER)).status == 303
    client.close()
    return client.cookies


@pytest.fixture
def client(zoo, proxy, session) -> Iterator[Client]:
    """A separate browser that continues the session."""
    client = Client(proxy, session)
    yield client
    client.close()


@pytest.fixture
def stranger(zoo, proxy) -> Iterator[Client]:
    """A browser without a session."""
    client = Client(proxy)
    yield client
    client.close()
