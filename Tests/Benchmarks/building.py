#!/usr/bin/env python3
"""Measures what a package that depends on Aviary has to build, and what its program consists of.

The package is the one that scripts/aviary-init writes. Each build begins in an empty directory with the packages' sources
already there, since a network is nobody's figure. Modules are counted as directories of object files: those for the program,
and those for the compiler (macros, with the compiler's own syntax tree).
"""
import argparse
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

import figures

ROOT = Path(__file__).resolve().parent.parent.parent
# What an application does not ask for: the example, the load harness, what tests are built with, a second TLS library.
UNWANTED = {"Zoo", "Library", "Hello", "AviaryLoad", "AviaryLoadTest", "AviaryTesting", "Histogram", "NIOSSL", "CNIOBoringSSL"}
MIB = 1024 * 1024

# How the sections of a file are called in the table; the first pattern that fits.
SECTIONS = [
    ("machine code", r"\.(text|plt|init$|fini$)"), ("tables for unwinding", r"\.(eh_frame|gcc_except_table)"),
    ("relocations", r"\.rela?\b|\.relr"), ("types of Swift, for the runtime", r"swift5_|\.?swift"),
    ("constants", r"\.rodata"), ("constants with addresses, and variables", r"\.(data|tdata|init_array|fini_array|got)"),
    ("names of exported symbols", r"\.(dynsym|dynstr|hash|gnu\.)"),
]
# Symbols of C and C++ by what they begin with or contain.
FOREIGN = [
    ("ICU: calendars, numbers and languages", r"icu|^u(_|cal_|loc_|dat_|num_|col_|brk_|res_|data_|trans_|set_|norm|idna|regex)"),
    ("BoringSSL: cryptography", r"CCryptoBoringSSL|CNIOBoringSSL|^bssl|^_ZN4bssl"),
    ("the runtime of Swift", r"^_?swift_|^_ZNK?5swift|^_ZL?.*swift|dispatch_"),
    ("the library of C++", r"^_ZNK?St|^_ZSt|^_ZN10__cxxabi|^__cxa"),
]


def module_of(symbol):
    """Returns the module that a symbol is of, by its mangled name, or what else it belongs to."""
    found = re.match(r"_?\$[sS]", symbol)
    if found:
        rest = symbol[found.end():]
        if rest[:1] in ("s", "S", "B"):
            return "Swift"
        return identifier(rest) or "Swift"
    # Such as "symbolic _____ 10AviaryData5StoreC".
    if " " in symbol:
        found = re.search(r"\d+[A-Za-z_]", symbol)
        return found and identifier(symbol[found.start():]) or "Swift"
    for name, pattern in FOREIGN:
        if re.search(pattern, symbol):
            return name
    return "C, and symbols without a module"


def identifier(text):
    """Returns the identifier that a mangled name begins with, such as 10AviaryData."""
    found = re.match(r"(\d+)", text)
    if not found or text[0] == "0":
        return None
    name = text[found.end():found.end() + int(found.group(1))]
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else None


def group_of(module):
    """Returns the row of the table to which a module belongs."""
    if module.startswith("Aviary") or module.endswith("Feature") or module == "CSupport":
        return "Aviary"
    if module in ("Swift", "_Concurrency", "_StringProcessing", "_RegexParser", "Synchronization", "Dispatch", "Glibc", "Observation"):
        return "the standard library of Swift, and its types in all modules"
    if module.startswith("Foundation") or module.startswith("_Foundation"):
        return "Foundation"
    if module.startswith("NIO") or module.startswith("_NIO"):
        return "swift-nio and its extras"
    if module.startswith("ArgumentParser"):
        return "swift-argument-parser"
    if module.startswith("Hummingbird"):
        return "Hummingbird"
    if module.startswith("Crypto") or module.startswith("_Crypto") or module == "SwiftASN1":
        return "swift-crypto"
    if module.startswith("C, ") or any(module == name for name, _ in FOREIGN):
        return module
    return "other packages"


def symbols(text):
    """Returns the bytes of each module from the output of nm --print-size --radix=d. An address counts once."""
    sizes, seen = Counter(), set()
    for line in text.splitlines():
        fields = line.split(" ", 3)
        if len(fields) < 4 or not fields[1].isdigit() or fields[2] in "bBuUwv" or fields[0] in seen:
            continue
        seen.add(fields[0])
        sizes[module_of(fields[3])] += int(fields[1])
    return sizes


def sections(text):
    """Returns the bytes of each kind of section from the output of size -A -d: of those that a stripped file has."""
    sizes = Counter()
    for line in text.splitlines():
        fields = line.split()
        if len(fields) != 3 or not fields[1].isdigit() or fields[2] == "0" or fields[0] in (".bss", ".tbss"):
            continue
        name = next((name for name, pattern in SECTIONS if re.match(pattern, fields[0])), "other")
        sizes[name] += int(fields[1])
    return sizes


def run(*command, cwd=None):
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout


def build(package, scratch, *options):
    """Returns what a build took. A build that fails says why."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = ["swift", "build", "--package-path", str(package), "--scratch-path", str(scratch), *options]
    print(" ".join(command), flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit("\n".join(done.stdout.splitlines()[-60:]))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = {"seconds": time.monotonic() - began, "processor": processor}
    print(f"    {found['seconds']:.0f} s, {processor:.0f} s of processors")
    return found


def modules(products):
    """Returns the names of the modules that have object files, those for the program and those for the compiler."""
    names = {file.parent.relative_to(products).parts[0] for file in products.glob("*.build/**/*.o")}
    names = {name.removesuffix(".build") for name in names}
    return (sorted(name for name in names if not name.endswith("-tool")),
            sorted(name.removesuffix("-tool") for name in names if name.endswith("-tool")))


def contents(program):
    """Returns the sizes of a program: as it is, stripped, by sections and by modules."""
    with tempfile.TemporaryDirectory() as directory:
        stripped = Path(directory) / "stripped"
        run("strip", "-o", str(stripped), str(program))
        by_section = sections(run("size", "-A", "-d", str(stripped)))
        size = stripped.stat().st_size
    by_module = symbols(run("nm", "--print-size", "--radix=d", str(program)))
    by_group = Counter()
    for module, count in by_module.items():
        by_group[group_of(module)] += count
    return {
        "file": program.stat().st_size, "stripped": size, "sections": dict(by_section.most_common()),
        "groups": dict(by_group.most_common()), "largest": dict(by_module.most_common(12)),
        "libraries": len(run("ldd", str(program)).splitlines()),
    }


def measure(configuration, package, scratch, options):
    """Builds in an empty directory, unless one is named that is to be used again, and looks at the result."""
    arguments = ["-c", configuration] + (["--static-swift-stdlib"] if configuration == "release" else [])
    # Packages are fetched before: that depends on the network, and the second build finds them.
    run("swift", "package", "--package-path", str(package), "--scratch-path", str(scratch), "resolve")
    found = build(package, scratch, *arguments)
    location = run("swift", "build", "--package-path", str(package), "--scratch-path", str(scratch), *arguments, "--show-bin-path")
    products = Path(location.strip().splitlines()[-1])
    found["modules"], found["compiler"] = modules(products)
    found["unwanted"] = sorted(UNWANTED & set(found["modules"])) if options.scratch is None else []
    found.update(contents(products / "clinic"))
    if configuration == "debug":
        tests = build(package, scratch, *arguments, "--build-tests")
        found["tests"] = {**tests, "modules": sorted(set(modules(products)[0]) - set(found["modules"]))}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configurations", nargs="+", choices=["debug", "release"], default=["debug", "release"])
    parser.add_argument("--scratch", help="a build directory to use again, in place of an empty one: its times say nothing")
    parser.add_argument("--json", help="write the result to this file")
    options = parser.parse_args()

    result = {"processors": os.cpu_count()}
    with tempfile.TemporaryDirectory() as directory:
        package = Path(directory) / "Clinic"
        run(str(ROOT / "scripts/aviary-init"), "Clinic", str(package), "--from", str(ROOT))
        if (ROOT / "Package.resolved").exists():
            shutil.copy(ROOT / "Package.resolved", package)
        for configuration in options.configurations:
            scratch = (ROOT / options.scratch) if options.scratch else Path(directory) / configuration
            found = result[configuration] = measure(configuration, package, scratch, options)
            print(f"{configuration}: {len(found['modules'])} modules for the program, {len(found['compiler'])} for the compiler, "
                  f"{found['file'] / MIB:.1f} MiB, stripped {found['stripped'] / MIB:.1f} MiB; "
                  f"nobody asked for: {', '.join(found['unwanted']) or 'nothing'}")
            for title in ("sections", "groups", "largest"):
                for name, size in found[title].items():
                    print(f"    {size / MIB:7.2f} MiB  {name}")
            if not options.scratch:
                shutil.rmtree(scratch)
    figures.write(options.json, "building", options, result)


if __name__ == "__main__":
    main()
