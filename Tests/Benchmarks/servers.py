"""The servers that are measured, each on a free port with its own copy of the data."""
import contextlib
import http.client
import os
import re
import socket
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path

import data

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(port, path, headers=None, method="GET", body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body, headers or {})
    response = connection.getresponse()
    content = response.read()
    cookies = dict(re.findall(r"^([^=]+)=([^;]*)", value)[0] for name, value in response.getheaders() if name.lower() == "set-cookie")
    connection.close()
    return response.status, cookies, content


def wait_until_ready(port, path, process):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            sys.exit(f"the server on port {port} ended with {process.returncode}")
        with contextlib.suppress(OSError):
            if get(port, path)[0] < 500:
                return
        time.sleep(0.05)
    sys.exit(f"the server on port {port} does not answer")


def sign_in(server, token_name, typed, expected):
    """Through the form, as a person does; gives the header with the session's cookies."""
    _, cookies, page = get(server.port, server.sign_in_path)
    token = re.search(rf'name="{token_name}" value="([^"]+)"'.encode(), page).group(1).decode()
    status, more, _ = get(server.port, server.sign_in_path, {
        "Cookie": header(cookies), "Content-Type": "application/x-www-form-urlencoded",
    }, "POST", urllib.parse.urlencode({**typed, token_name: token}))
    assert status == expected, status
    return header({**cookies, **more})


def header(cookies):
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


def family(pid):
    """The process and all below it."""
    found = [pid]
    for process in found:
        # Every thread lists those that it has started itself.
        for task in Path(f"/proc/{process}/task").iterdir():
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def memory(pid):
    """The MiB of a process: resident, and its share where several processes have the same pages (proportional)."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    return [int(fields[name].split()[0]) / 1024 for name in ("Rss", "Pss")]


class Server:
    """Something that is started, and ended with what it started."""

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


class Aviary(Server):
    name = "Aviary"
    list_path = "/admin/animals"
    sign_in_path = "/login"
    part = 100_000
    # Makes a table of so many records, from the one of a number on.
    write = staticmethod(data.write_csv)
    # What the server is started with, such as taskset.
    prefix = ()
    # A password as short as Django's here is refused.
    password = "six purple lamps at noon"

    def __init__(self, work, rows, workers):
        self.binary = Path(os.environ.get("ZOO", ROOT / ".build/release/zoo"))
        self.directory = work / "aviary"
        self.port = free_port()
        self.workers = workers
        table = work / "animals.csv"
        # In parts: what is imported at a time is held in memory.
        for first in range(0, rows, self.part):
            self.write(table, min(self.part, rows - first), first)
            self.command("import", "Animal", table, "--create-related")
        self.command("user", "add", "admin", "--role", "admin", "--password-stdin", text=self.password)

    def command(self, *arguments, text=""):
        subprocess.run([self.binary, *arguments, "--data", self.directory], input=text, text=True, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def processes(self):
        return ["--workers", str(self.workers)]

    def launch(self):
        self.process = subprocess.Popen(
            [*self.prefix, self.binary, "serve", *self.processes(), "--port", str(self.port), "--data", self.directory],
            stdout=subprocess.DEVNULL)

    def start(self):
        self.launch()
        wait_until_ready(self.port, "/healthz", self.process)

    def sign_in(self):
        return sign_in(self, "csrf", {"username": "admin", "password": self.password}, 303)


class AviaryInProcess(Aviary):
    name = "Aviary in one process"

    def processes(self):
        return ["--in-process"]


class Gunicorn(Server):
    """An application of Python's, with as many processes as ours has workers."""
    tools = ROOT / ".build/benchmarks/bin"

    def __init__(self, work, workers, environment):
        self.port = free_port()
        self.workers = workers
        self.environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}

    def launch(self):
        self.process = subprocess.Popen(
            [self.tools / "gunicorn", "-w", str(self.workers), "-b", f"127.0.0.1:{self.port}", "--log-level", "warning", self.application],
            env=self.environment, cwd=self.directory)

    def start(self):
        self.launch()
        wait_until_ready(self.port, self.sign_in_path, self.process)


class Django(Gunicorn):
    name = "Django admin"
    list_path = "/admin/zoo/animal/"
    sign_in_path = "/admin/login/"

    application, directory = "wsgi:application", HERE / "django"

    def __init__(self, work, rows, workers, database=None):
        super().__init__(work, workers, {
            "ZOO_DATABASE": database or str(work / "django.sqlite"), "DJANGO_SETTINGS_MODULE": "settings",
            "PYTHONPATH": f"{HERE / 'django'}:{HERE}", "DJANGO_SUPERUSER_PASSWORD": "admin",
        })
        fill = (
            "import django; django.setup()\n"
            "from django.core.management import call_command\n"
            "from zoo.models import Animal, AnimalCategory\n"
            "import data\n"
            "call_command('migrate', run_syncdb=True, verbosity=0)\n"
            "call_command('createsuperuser', interactive=False, username='admin', email='admin@example.com', verbosity=0)\n"
            "names = [f'Category {n:03d}' for n in range(data.CATEGORIES)]\n"
            "AnimalCategory.objects.bulk_create(AnimalCategory(name=n) for n in names)\n"
            "ids = dict(AnimalCategory.objects.values_list('name', 'id'))\n"
            f"rows = (data.animal(n) for n in range({rows}))\n"
            "Animal.objects.bulk_create((Animal(name=n, diet=d, category_id=ids.get(c)) for n, d, c in rows), batch_size=10000)\n"
        )
        subprocess.run([self.tools / "python", "-c", fill], env=self.environment, check=True)

    def sign_in(self):
        return sign_in(self, "csrfmiddlewaretoken", {"username": "admin", "password": "admin"}, 302)


class FlaskAdmin(Gunicorn):
    name = "Flask-Admin"
    list_path = "/admin/animal/"
    sign_in_path = "/login"

    application, directory = "app:app", HERE / "flask"

    def __init__(self, work, rows, workers):
        super().__init__(work, workers, {"ZOO_DATABASE": str(work / "flask.sqlite"), "PYTHONPATH": f"{HERE / 'flask'}:{HERE}"})
        subprocess.run([self.tools / "python", HERE / "flask/fill.py", str(rows)], env=self.environment, cwd=self.directory, check=True)

    def sign_in(self):
        status, cookies, _ = get(self.port, "/login", {"Content-Type": "application/x-www-form-urlencoded"}, "POST", "username=admin&password=admin")
        assert status == 302, status
        # The token of its forms is kept in the session, which is in the cookie: it comes with the first form.
        _, more, _ = get(self.port, "/admin/animal/new/", {"Cookie": header(cookies)})
        return header({**cookies, **more})


class Hello(Server):
    """A line of plain text by the framework that Aviary is built on."""
    name = "plain text of the same framework"
    list_path = sign_in_path = "/"

    def __init__(self, work, rows, workers):
        self.binary = Path(os.environ.get("HELLO", ROOT / ".build/release/Hello"))
        self.port = free_port()

    def start(self):
        self.process = subprocess.Popen([self.binary, str(self.port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until_ready(self.port, "/", self.process)

    def sign_in(self):
        return ""


class Nginx(Server):
    """A page of the same size as a file: what the machine's network stack and the load generator can do."""
    name = "nginx, static page"
    list_path = sign_in_path = "/page.html"
    page = b"x" * 40_000

    def __init__(self, work, rows, workers):
        self.directory = work / "nginx"
        (self.directory / "tmp").mkdir(parents=True)
        self.port = free_port()
        paths = " ".join(f"{kind}_temp_path {self.directory}/tmp;" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;" if os.geteuid() == 0 else ""
        (self.directory / "nginx.conf").write_text(
            f"daemon off; {user} worker_processes {workers}; pid {self.directory}/pid; error_log {self.directory}/error.log;\n"
            "events { worker_connections 4096; }\n"
            f"http {{ access_log off; sendfile on; keepalive_requests 100000000; open_file_cache max=100; {paths}\n"
            f"types {{ text/html html; }} server {{ listen 127.0.0.1:{self.port}; root {self.directory}; }} }}\n")

    def start(self):
        (self.directory / "page.html").write_bytes(self.page)
        self.process = subprocess.Popen(["nginx", "-p", self.directory, "-c", self.directory / "nginx.conf"])
        wait_until_ready(self.port, self.list_path, self.process)

    def sign_in(self):
        return ""
