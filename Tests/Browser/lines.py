"""Lines between the browser and the server: one that can hold back requests, and one that is slow."""

import asyncio
import contextlib
import threading

from patience import eventually


class Line:
    """
    A relay between the browser and the server that can hold back requests. Released requests are forwarded one at a
    time, each after the response to the one before it.
    """

    def __init__(self):
        self._target = 0
        self._held_path = None
        self._held = 0
        self._loop = asyncio.new_event_loop()
        self._is_open = asyncio.Event()
        self._is_open.set()
        self._order = asyncio.Lock()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        listening = asyncio.start_server(self._connect, "127.0.0.1", 0)
        server = asyncio.run_coroutine_threadsafe(listening, self._loop).result()
        self.authority = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        self.origin = f"http://{self.authority}"

    def lead_to(self, port: int):
        self._target = port

    def hold(self, path: str):
        """Holds back POST requests to the path from now on."""
        self._held_path = f"POST {path} ".encode()
        self._loop.call_soon_threadsafe(self._is_open.clear)

    def wait_until_held(self):
        eventually("a request is held back", lambda: self._held > 0)

    def release(self):
        self._loop.call_soon_threadsafe(self._is_open.set)

    async def _connect(self, reader, writer):
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        with contextlib.suppress(asyncio.CancelledError):
            answered = asyncio.Event()
            await asyncio.gather(self._carry(reader, far_writer, answered), self._carry(far_reader, writer, answered))

    async def _carry(self, reader, writer, answered):
        while chunk := await self._heard(reader):
            # A browser sends one request at a time on a connection, so each request begins a chunk.
            if not self._is_open.is_set() and chunk.startswith(self._held_path):
                self._held += 1
                await self._order.acquire()
                await self._is_open.wait()
                answered.clear()
                # The rest of the request may arrive in separate chunks.
                asyncio.ensure_future(self._make_way(answered))
            writer.write(chunk)
            if chunk.startswith(b"HTTP/"):
                answered.set()
        writer.close()
        answered.set()

    async def _make_way(self, answered):
        await answered.wait()
        self._order.release()

    async def _heard(self, reader) -> bytes:
        try:
            return await reader.read(65_536)
        except ConnectionError:
            return b""

    def close(self):
        asyncio.run_coroutine_threadsafe(self._hang_up(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def _hang_up(self):
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


class SlowLine(Line):
    """
    A relay that delays data by `seconds` and forwards `rate` bytes per second. Unlike the slow network that the browser
    can emulate, it also delivers requests of a page that is being left.
    """

    def __init__(self, seconds: float, rate: float):
        self._seconds, self._rate = seconds, rate
        super().__init__()

    async def _carry(self, reader, writer, answered):
        on_the_way = asyncio.Queue()
        delivering = asyncio.ensure_future(self._deliver(on_the_way, writer))
        sent = 0
        while True:
            chunk = await self._heard(reader)
            sent = max(sent, self._loop.time()) + len(chunk) / self._rate
            on_the_way.put_nowait((sent + self._seconds, chunk))
            if not chunk:
                return await delivering

    async def _deliver(self, on_the_way, writer):
        while True:
            due, chunk = await on_the_way.get()
            await asyncio.sleep(max(0, due - self._loop.time()))
            if not chunk:
                return writer.close()
            writer.write(chunk)
