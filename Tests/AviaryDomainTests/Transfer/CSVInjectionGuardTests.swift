import Testing

@testable import AviaryDomain

@Suite("Protection against CSV injection")
struct CSVInjectionGuardTests {
    @Test(
        "A text that a spreadsheet takes for a formula gets an apostrophe",
        arguments: [
            "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠x", "=\u{301}", "-", "=",
        ])
    func guarded(text: String) {
        #expect(CSVInjectionGuard.guarded(text) == "'" + text)
    }

    @Test("Other text stays unchanged", arguments: ["", "a=1", " =1", "1-1", "it's", "'tis", "ada@example.com", "é"])
    func harmless(text: String) {
        #expect(CSVInjectionGuard.guarded(text) == text)
        #expect(CSVInjectionGuard.unguarded(text) == text)
    }

    @Test("The protection is reversible for every text")
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
