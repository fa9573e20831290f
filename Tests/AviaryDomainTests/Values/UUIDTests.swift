import AviaryDomain
import Foundation
import Testing

@Suite("Ids are UUIDs of version 7")
struct UUIDTests {
    @Test("the version is 7 and the variant that of RFC 9562")
    func versionAndVariant() {
        for _ in 0..<1000 {
            let bytes = UUID.version7().uuid
            #expect(bytes.6 >> 4 == 7)
            #expect(bytes.8 >> 6 == 0b10)
        }
    }

    @Test("the first 48 bits are the milliseconds since 1970")
    func timestamp() {
        let id = UUID.version7(at: Date(timeIntervalSince1970: 1_645_557_742))
        #expect(id.canonicalText.hasPrefix("017f22e2-79b0-7"))
    }

    @Test("ids of later milliseconds sort after earlier ones, as text and so in the file")
    func order() {
        let start = Date(timeIntervalSince1970: 1_763_000_000)
        let texts = (0..<1000).map { UUID.version7(at: start.addingTimeInterval(Double($0) / 500)).canonicalText }
        #expect(texts == texts.sorted())
    }

    @Test("no two are the same")
    func distinct() {
        let now = Date()
        #expect(Set((0..<10_000).map { _ in UUID.version7(at: now) }).count == 10_000)
    }

    @Test("a time before 1970 gives the smallest ids and does not trap")
    func beforeTheEpoch() {
        #expect(UUID.version7(at: Date(timeIntervalSince1970: -5)).canonicalText.hasPrefix("00000000-0000-7"))
    }
}

@Suite("An id has one canonical text")
struct UUIDTextTests {
    @Test("it is Foundation's in lower case, both ways")
    func roundTrip() {
        for _ in 0..<1000 {
            let id = UUID()
            #expect(id.canonicalText == id.uuidString.lowercased())
            #expect(UUID(canonicalText: id.canonicalText) == id)
        }
    }

    @Test(
        "any other spelling is refused",
        arguments: [
            "", "017F22E2-79B0-7CC3-98C4-DC0C0C07398F", "017f22e2-79b0-7cc3-98c4-dc0c0c07398",
            "017f22e2-79b0-7cc3-98c4-dc0c0c07398ff", "017f22e279b07cc398c4dc0c0c07398f",
            "017f22e2-79b0-7cc3-98c4-dc0c0c07398g", "017f22e2079b0-7cc3-98c4-dc0c0c07398f",
            "{17f22e2-79b0-7cc3-98c4-dc0c0c07398f", "017f22e2-79b0-7cc3-98c4-dc0c0c07398é",
            " 17f22e2-79b0-7cc3-98c4-dc0c0c07398f", "-17f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        ])
    func refused(text: String) {
        #expect(UUID(canonicalText: text) == nil)
    }

    @Test("a RecordID travels as that text")
    func recordID() throws {
        let id = RecordID<Animal>()
        let data = try JSONEncoder().encode([id])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(id)\"]")
        #expect(try JSONDecoder().decode([RecordID<Animal>].self, from: data) == [id])
        let upperCase = Data("[\"\(id.uuid.uuidString)\"]".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([RecordID<Animal>].self, from: upperCase) }
    }
}
