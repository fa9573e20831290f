from collections.abc import Iterator

import pytest

from client import Client
from proxies import Caddy, Certificate, Nginx, Proxy
from zoo import BINARY, Zoo


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
    zoo.start()
    proxy.start(backend=zoo.port)
    yield zoo
    zoo.kill()


@pytest.fixture
def client(zoo, proxy) -> Iterator[Client]:
    client = Client(proxy)
    yield client
    client.close()
