import AviaryDomain
import Foundation
import Testing

@testable import BrowseFeature

@Suite("Cursors in an address")
struct CursorTextTests {
    private static let byName = ListOrder(property: "name", direction: .ascending)

    @Test(
        "Every kind of value survives a round trip",
        arguments: [
            FieldValue.null, .integer(0), .integer(.min), .integer(.max), .real(0), .real(-0.1),
            .real(.greatestFiniteMagnitude),
            .real(.leastNonzeroMagnitude), .text(""), .text("Okapi"), .text("two\nlines"), .text("\n"), .text("\r\n"),
            .text("three\nline\nbreaks\n"), .text("🦜🏽👨‍👩‍👧"), .text("n"), .text("i7"), .text("null"), .text("a\u{0}b"),
            .text("שלום"), .text("a+b/c=d&e%20"),
        ])
    func roundTrip(value: FieldValue) {
        let position = KeysetPosition(value: value, id: .version7())
        let text = CursorText.encode(position, for: CursorBinding(Self.byName))
        #expect(CursorText.decode(text, for: CursorBinding(Self.byName)) == position)
    }

    // These characters join the one before them. A parser that works on characters would treat the tag as a part of
    // the text.
    @Test(
        "A text that begins with a combining character survives a round trip",
        arguments: [
            "\u{301}a", "\u{1F3FD}", "\u{200D}", "\u{FE0F}x", "\u{20E3}",
        ])
    func combining(text: String) {
        let position = KeysetPosition(value: .text(text), id: .version7())
        let cursor = CursorText.encode(position, for: CursorBinding(Self.byName))
        #expect(CursorText.decode(cursor, for: CursorBinding(Self.byName)) == position)
    }

    @Test("A text keeps its bytes in a round trip")
    func bytes() throws {
        let decomposed = KeysetPosition(value: .text("e\u{301}"), id: .version7())
        let text = CursorText.encode(decomposed, for: CursorBinding(Self.byName))
        let decoded = try #require(CursorText.decode(text, for: CursorBinding(Self.byName)))
        #expect(decoded.value.formText.utf8.elementsEqual("e\u{301}".utf8))
    }

    @Test("A cursor needs no escaping in an address")
    func alphabet() {
        let position = KeysetPosition(value: .text("🦜?>~ü\u{7F}"), id: .version7())
        let text = CursorText.encode(position, for: CursorBinding(Self.byName))
        #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    }

    @Test(
        "A cursor for another order is rejected",
        arguments: [
            ListOrder(property: "name", direction: .descending), ListOrder(property: "diet", direction: .ascending),
        ])
    func otherOrder(order: ListOrder) {
        let text = CursorText.encode(
            KeysetPosition(value: .text("Okapi"), id: .version7()), for: CursorBinding(Self.byName))
        #expect(CursorText.decode(text, for: CursorBinding(order)) == nil)
    }

    @Test(
        "An invalid cursor is rejected",
        arguments: [
            "", "!", "bmFtZQ", "AAAA", Base64URL.encode(Array("name\nno-uuid\nn".utf8)),
            Base64URL.encode(Array("name\n01928374-0000-7000-8000-000000000000\nx".utf8)),
            Base64URL.encode(Array("name\n01928374-0000-7000-8000-000000000000\nifour".utf8)),
            Base64URL.encode(Array("name\n01928374-0000-7000-8000-000000000000\n".utf8)),
            Base64URL.encode([0x6E, 0xFF, 0x0A, 0x0A]),
        ])
    func forged(text: String) {
        #expect(CursorText.decode(text, for: CursorBinding(Self.byName)) == nil)
    }
}
