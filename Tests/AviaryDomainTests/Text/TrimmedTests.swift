import Foundation
import TestSupport
import Testing

@testable import AviaryDomain

@Suite("Texts without white space at their ends")
struct TrimmedTests {
    @Test(
        "A trimmed text equals that of Foundation",
        arguments: ["", " ", "a", " a", "a ", "a b", "\u{A0}a\u{2003}", "é", "\ta\n", "a\u{301}", "\u{301} a", "🦓 "])
    func equal(text: String) {
        #expect(text.trimmed() == text.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(text.trimmed(.whitespaces) == text.trimmingCharacters(in: .whitespaces))
    }
}
