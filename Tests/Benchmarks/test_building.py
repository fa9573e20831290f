"""Tests of the parts of a program, which the names of its symbols and sections show."""
import building
import page
import pytest


@pytest.mark.parametrize("symbol, module", [
    ("$s10AviaryData5StoreC6submityyF", "AviaryData"),
    ("$s7NIOCore10ByteBufferV_", "NIOCore"),
    ("$s20FoundationEssentials4DataVMn", "FoundationEssentials"),
    ("symbolic _____ 12AviaryDomain5QueryV", "AviaryDomain"),
    ("$sSS10FoundationE4dataSSvg", "Swift"),
    ("$sSo8NSObjectC", "Swift"),
    ("$ss5print_9separatoryypd_SSS2StF", "Swift"),
    ("icudt74_dat", "ICU: calendars, numbers and languages"),
    ("CCryptoBoringSSL_EVP_aead", "BoringSSL: cryptography"),
    ("swift_retain", "the runtime of Swift"),
    ("main", "C, and symbols without a module"),
])
def test_a_symbol_belongs_to_the_module_that_its_name_begins_with(symbol, module):
    assert building.module_of(symbol) == module


def test_a_symbol_with_two_names_counts_once():
    text = "\n".join([
        "0000000000001000 0000000000000016 T $s10AviaryData1aSivg",
        "0000000000001000 0000000000000016 T $s10AviaryData1bSivg",
        "0000000000002000 0000000000000004 t $s10AviaryData1cSivg",
        "0000000000003000 0000000000000512 b $s10AviaryData1dSivp",
        "0000000000004000 t symbolic with spaces and no size",
        "                 U malloc",
        "                 U a name in four words",
    ])
    assert building.symbols(text) == {"AviaryData": 20}


def test_sections_that_are_not_in_the_file_do_not_count():
    text = "clinic  :\nsection size addr\n.text 100 4096\n.rela.dyn 24 512\n.eh_frame_hdr 8 9000\nswift5_types 4 9100\n.bss 999 9200\n.comment 50 0\nTotal 1185\n"
    assert building.sections(text) == {
        "machine code": 100, "relocations": 24, "tables for unwinding": 8, "types of Swift, for the runtime": 4}


@pytest.mark.parametrize("module, group", [
    ("AviaryData", "Aviary"), ("BrowseFeature", "Aviary"), ("NIOPosix", "swift-nio and its extras"),
    ("_CryptoExtras", "swift-crypto"), ("HummingbirdCore", "Hummingbird"), ("Logging", "other packages"),
    ("BoringSSL: cryptography", "BoringSSL: cryptography"),
])
def test_a_module_is_in_the_row_of_its_package(module, group):
    assert building.group_of(module) == group


def test_modules_are_the_folders_with_object_files(tmp_path):
    for path in ["AviaryData.build/a.swift.o", "CSupport.build/sub/b.c.o", "SwiftSyntax-tool.build/c.o", "Empty.build/d.swiftdeps"]:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    assert building.modules(tmp_path) == (["AviaryData", "CSupport"], ["SwiftSyntax"])


def test_the_page_tells_builds_and_contents():
    size = 3 * building.MIB
    release = {"seconds": 600, "processor": 1100, "modules": ["AviaryData"], "compiler": ["SwiftSyntax"], "unwanted": [], "file": size,
               "stripped": size, "sections": {"machine code": size, "other": 10}, "groups": {"Aviary": size}, "largest": {"AviaryData": size}}
    debug = {**release, "tests": {"seconds": 60, "processor": 70, "modules": ["AviaryLoad"]}}
    text = page.building({"building": {"processors": 2, "debug": debug, "release": release}})
    assert "| `swift build` | 600 s | 1100 s | 1 | 1 | 3.0 MiB | 3.0 MiB |" in text
    assert "| then `swift build --build-tests` | 60 s | 70 s | 1 |  |  |  |" in text
    assert "| machine code | 3.0 MiB |" in text and "| other |" not in text
