import AviaryDomain
import Foundation
import Testing

@Suite("Version 7 UUIDs")
struct UUIDTests {
    @Test("An id has version 7 and the variant of RFC 9562")
    func versionAndVariant() {
        for _ in 0..<1000 {
            let bytes = UUID.version7().uuid
            #expect(bytes.6 >> 4 == 7)
            #expect(bytes.8 >> 6 == 0b10)
        }
    }

    @Test("The first 48 bits are the milliseconds since 1970")
    func timestamp() {
        let id = UUID.version7(at: Date(timeIntervalSince1970: 1_645_557_742))
        #expect(id.canonicalText.hasPrefix("017f22e2-79b0-7"))
    }

    @Test("The texts of ids sort by their milliseconds")
    func order() {
        let start = Date(timeIntervalSince1970: 1_763_000_000)
        let texts = (0..<1000).map { UUID.version7(at: start.addingTimeInterval(Double($0) / 500)).canonicalText }
        #expect(texts == texts.sorted())
    }

    @Test("Ids of one millisecond sort by microseconds")
    func orderWithinMilliseconds() {
        let start = Date(timeIntervalSince1970: 1_763_000_000)
        let texts = (0..<1000).map { UUID.version7(at: start.addingTimeInterval(Double($0) / 1e6)).canonicalText }
        #expect(texts == texts.sorted())
        #expect(Set(texts.map { $0.prefix(13) }).count == 1)
    }

    @Test("Ids of the same time are distinct")
    func distinct() {
        let now = Date()
        #expect(Set((0..<10_000).map { _ in UUID.version7(at: now) }).count == 10_000)
    }

    @Test("A time before 1970 gives the smallest ids and does not trap")
    func beforeTheEpoch() {
        #expect(UUID.version7(at: Date(timeIntervalSince1970: -5)).canonicalText.hasPrefix("00000000-0000-7"))
    }
}

@Suite("Canonical text of an id")
struct UUIDTextTests {
    @Test("The canonical text is lower case and parses to the same id")
    func roundTrip() {
        for _ in 0..<1000 {
            let id = UUID()
            #expect(id.canonicalText == id.uuidString.lowercased())
            #expect(UUID(canonicalText: id.canonicalText) == id)
        }
    }

    @Test(
        "Any other form is rejected",
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

    @Test("A record id is encoded as its canonical text")
    func recordID() throws {
        let id = RecordID<Animal>()
        let data = try JSONEncoder().encode([id])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(id)\"]")
        #expect(try JSONDecoder().decode([RecordID<Animal>].self, from: data) == [id])
        let upperCase = Data("[\"\(id.uuid.uuidString)\"]".utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([RecordID<Animal>].self, from: upperCase) }
    }
}
