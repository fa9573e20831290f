import Testing

@testable import AviaryDomain

@Suite("Texts that a spreadsheet would take for formulas")
struct CSVInjectionGuardTests {
    @Test(
        "get an apostrophe before them",
        arguments: [
            "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠x", "=\u{301}", "-", "=",
        ])
    func guarded(text: String) {
        #expect(CSVInjectionGuard.guarded(text) == "'" + text)
    }

    @Test("and others stay as they are", arguments: ["", "a=1", " =1", "1-1", "it's", "'tis", "ada@example.com", "é"])
    func harmless(text: String) {
        #expect(CSVInjectionGuard.guarded(text) == text)
        #expect(CSVInjectionGuard.unguarded(text) == text)
    }

    @Test("Every text comes back as it was, also one that looks guarded")
    func reversible() {
        let pieces = [
            "'", "''", "=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "a", " ", "e\u{301}", "\u{301}", "＝", "\"", ",",
        ]
        for first in pieces {
            for second in pieces + [""] {
                for third in pieces + [""] {
                    let text = first + second + third
                    let cell = CSVInjectionGuard.guarded(text)
                    #expect(CSVInjectionGuard.unguarded(cell).utf8.elementsEqual(text.utf8), "\(text.debugDescription)")
                    #expect(
                        !"=+-@\t\r\n".unicodeScalars.contains(cell.unicodeScalars.first ?? "a"),
                        "\(text.debugDescription)")
                }
            }
        }
    }
}
