"""A line between the browser and the server on which everything takes its time."""

import asyncio
import threading


class SlowLine:
    """
    Passes on what it hears, `seconds` later and at `rate` bytes a second, in both directions. The browser's own slow network
    is another thing: what a page sends while it is left does not survive that.
    """

    def __init__(self, seconds: float, rate: float):
        self._seconds, self._rate, self._target = seconds, rate, 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        listening = asyncio.start_server(self._connect, "127.0.0.1", 0)
        server = asyncio.run_coroutine_threadsafe(listening, self._loop).result()
        self.authority = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"

    def lead_to(self, port: int):
        self._target = port

    async def _connect(self, reader, writer):
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        await asyncio.gather(self._carry(reader, far_writer), self._carry(far_reader, writer))

    async def _carry(self, reader, writer):
        on_the_way = asyncio.Queue()
        delivering = asyncio.ensure_future(self._deliver(on_the_way, writer))
        sent = 0
        while True:
            try:
                chunk = await reader.read(4_096)
            except ConnectionError:
                chunk = b""
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

    def close(self):
        asyncio.run_coroutine_threadsafe(self._hang_up(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def _hang_up(self):
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
