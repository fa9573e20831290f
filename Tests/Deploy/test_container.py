"""Checks of the container file that need no container engine."""

import json
import re
import subprocess
from fnmatch import fnmatch

import pytest

from zoo import BINARY, DEPLOY, ROOT, environment

SWIFT_LIBRARIES = re.compile(r"/swift/linux/")


def instructions() -> list[tuple[str, str]]:
    text = (DEPLOY / "container/Containerfile").read_text()
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    return [tuple(re.split(r"\s+", line.strip(), maxsplit=1)) for line in text.splitlines() if line.strip()]


INSTRUCTIONS = instructions()
# The arguments before the first FROM.
ARGUMENTS = dict(text.split("=", 1) for name, text in INSTRUCTIONS if name == "ARG")
LAST_STAGE = INSTRUCTIONS[max(index for index, (name, _) in enumerate(INSTRUCTIONS) if name == "FROM"):]


def value(name: str, stage=LAST_STAGE) -> str:
    values = [text for instruction, text in stage if instruction == name]
    assert len(values) == 1, f"{name} is there {len(values)} times."
    return values[0]


def test_the_program_is_not_root_and_an_orchestrator_sees_it():
    user = value("USER")
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    assert f"-o {user.partition(':')[0]} -g {user.partition(':')[2]} /data" in value("RUN")


def test_it_runs_without_a_shell_and_ends_as_the_supervisor_expects():
    assert json.loads(value("ENTRYPOINT")) == ["/usr/local/bin/zoo"]
    assert json.loads(value("CMD")) == ["serve"]
    assert value("STOPSIGNAL") == "SIGTERM"
    assert value("VOLUME") == "/data" and value("ENV") == "AVIARY_DATA=/data"


def test_images_are_named_in_full_and_with_a_version():
    for name, text in INSTRUCTIONS:
        if name == "FROM":
            # The image is an argument, so that a build can pin it by its digest.
            image = ARGUMENTS[re.fullmatch(r"\$\{(\w+)\}( AS \w+)?", text).group(1)]
            assert re.fullmatch(r"docker\.io/library/[a-z]+:[0-9a-z.-]+", image) and ":latest" not in image
        assert name != "ADD"
    names = [name for name, _ in INSTRUCTIONS]
    assert names.count("ARG") == names.count("FROM") == 2 and names.index("FROM") == 2


def test_the_runbook_names_every_image_that_a_build_can_pin():
    runbook = (DEPLOY / "RUNBOOK.md").read_text()
    for name, image in ARGUMENTS.items():
        assert f"--build-arg {name}={image.partition(':')[0]}@" in runbook


def test_packages_are_built_in_the_versions_of_the_lock_file():
    command = next(text for name, text in INSTRUCTIONS if name == "RUN" and "swift build" in text)
    assert "--only-use-versions-from-resolved-file" in command
    assert ("COPY", "Package.resolved ./") in INSTRUCTIONS


def test_everything_that_is_copied_exists_and_reaches_the_engine():
    ignored = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    assert ignored[0] == "*"
    for name, text in INSTRUCTIONS:
        if name == "COPY" and not text.startswith("--from="):
            source = text.split()[0]
            assert (ROOT / source).exists() and f"!{source}" in ignored, source
    # No files of a developer are copied.
    assert not any(fnmatch(name, line.lstrip("!")) for name in [".build", "data", ".git"] for line in ignored if line[0] == "!")


def test_every_target_that_the_manifest_names_is_copied():
    """Targets that are not built are copied too, because a manifest with a missing folder is rejected."""
    copied = [
        text.split()[0] for name, text in INSTRUCTIONS if name == "COPY" and not text.startswith("--from=")
    ]
    folders = target_folders()
    assert {"Public", "Sources/Zoo", "docs/examples/Feeder"} <= folders
    missing = {folder for folder in folders if not any(f"{folder}/".startswith(f"{name}/") for name in copied)}
    assert not missing
    assert not {folder for folder in folders if not (ROOT / folder).is_dir()}


def target_folders() -> set[str]:
    manifest = re.sub(r"^\s*//.*\n", "", (ROOT / "Package.swift").read_text(), flags=re.MULTILINE)
    targets = re.findall(
        r"\.(target|executableTarget|testTarget|macro|systemLibrary)\(\s*name: \"(\w+)\"(.*?)(?=\n        \.|\n    \])", manifest, re.DOTALL
    )
    assert len(targets) > 20
    folders = set()
    for kind, name, rest in targets:
        path = re.search(r"\bpath: \"([^\"]+)\"", rest)
        folders.add(path.group(1) if path else f"{'Tests' if kind == 'testTarget' else 'Sources'}/{name}")
    return folders


def test_every_library_of_the_program_is_installed_in_the_last_stage():
    """The Swift libraries are linked statically, and every Debian system has libc6."""
    installed = set(re.search(r"--no-install-recommends ([a-z0-9+. -]+?) +&&", value("RUN")).group(1).split())
    listing = subprocess.run(["ldd", BINARY], capture_output=True, text=True, check=True).stdout
    libraries = re.findall(r"^\s*(\S+) => (\S+)", listing, re.MULTILINE)
    assert len(libraries) > 4
    needed = {package_of(name) for name, path in libraries if not SWIFT_LIBRARIES.search(path)}
    assert needed - {"libc6"} <= installed, needed
    assert "libsqlite3-0" in needed


def package_of(library: str) -> str:
    found = subprocess.run(["dpkg", "-S", f"*/{library}"], capture_output=True, text=True)
    if found.returncode != 0:
        pytest.skip("This system does not tell which package a library is of.")
    return found.stdout.split(":")[0]


def test_the_build_command_has_flags_that_the_compiler_knows():
    command = next(text for name, text in INSTRUCTIONS if name == "RUN" and "swift build" in text)
    known = subprocess.run(["swift", "build", "--help-hidden"], capture_output=True, text=True).stdout
    flags = set(re.findall(r"(--[a-z-]+)", command.partition("&&")[0]))
    assert "--static-swift-stdlib" in flags
    assert flags <= set(re.findall(r"(--[a-z-]+)", known))


def test_the_health_check_fails_where_nothing_serves(tmp_path):
    text = value("HEALTHCHECK")
    command = json.loads(text[text.index("["):])
    assert command == ["/usr/local/bin/zoo", "status"]
    run = subprocess.run(
        [BINARY, *command[1:]], env=environment(AVIARY_DATA=str(tmp_path / "data")), capture_output=True
    )
    assert run.returncode == 1
