import AviaryDomain
import Testing

@Suite("Texts that would take a server's time for nothing")
struct MarkRunTests {
    private func marks(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }

    @Test("A letter may have as many marks as anybody needs")
    func allowed() {
        #expect(!("a" + marks(128)).hasLongMarkRun)
        #expect(!String(repeating: "a" + marks(100), count: 1000).hasLongMarkRun)
        #expect(!String(repeating: "漢字 ", count: 10_000).hasLongMarkRun)
    }

    @Test("Hundreds on one letter are refused, in a field's name and in its value", arguments: [129, 100_000])
    func refused(count: Int) throws {
        #expect(("a" + marks(count)).hasLongMarkRun)
        for body in ["csr" + marks(count) + "=1", "name=a" + marks(count)] {
            #expect(throws: FormEncoding.Malformed.self) { try FormEncoding.decode(body.utf8) }
        }
    }

    @Test("Two marks in turn, which have to be sorted, are one run")
    func alternating() {
        #expect(("a" + String(repeating: "\u{301}\u{316}", count: 65)).hasLongMarkRun)
    }

    @Test("More fields than any form has, or a longer name, are refused")
    func sizes() throws {
        #expect(throws: FormEncoding.Malformed.self) {
            try FormEncoding.decode(String(repeating: "a=1&", count: 10_001).utf8)
        }
        #expect(throws: FormEncoding.Malformed.self) {
            try FormEncoding.decode((String(repeating: "a", count: 301) + "=1").utf8)
        }
        #expect(try FormEncoding.decode((String(repeating: "a", count: 300) + "=1").utf8).count == 1)
    }

    @Test("A field is found by the bytes of its name")
    func names() throws {
        let fields = try FormEncoding.decode("caf%C3%A9=1&cafe%CC%81=2".utf8)
        #expect(fields.value("caf\u{E9}") == "1" && fields.value("cafe\u{301}") == "2")
    }
}
