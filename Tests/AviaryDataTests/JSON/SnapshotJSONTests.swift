import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Snapshot: JSON reader and writer")
struct SnapshotJSONTests {
    /// Returns the parsed value, or nil if the store's reader rejects the text.
    private func ours(_ bytes: [UInt8]) -> JSONValue? {
        var reader = JSONReader(bytes)
        guard let value = try? reader.value(), (try? reader.finish()) != nil else { return nil }
        return value
    }

    private func foundations(_ bytes: [UInt8]) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    // Foundation's result can differ in the last digits. The store's own output is compared exactly below.
    private func isNear(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= 1e-14 * max(abs(left), abs(right))
    }

    private func agrees(_ value: JSONValue, _ other: Any) -> Bool {
        switch value {
        case .null: other is NSNull
        case .boolean(let value): (other as? NSNumber)?.boolValue == value
        case .number(.integer(let number)): (other as? NSNumber)?.int64Value == number
        case .number(.real(let number)): (other as? NSNumber).map { isNear($0.doubleValue, number) } ?? false
        case .text(let text): (other as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
        case .list(let list):
            (other as? [Any]).map { others in others.count == list.count && zip(list, others).allSatisfy(agrees) }
                ?? false
        case .object(let members):
            (other as? [String: Any]).map { others in
                others.count == members.count
                    && members.allSatisfy { name, value in others[name].map { agrees(value, $0) } ?? false }
            } ?? false
        }
    }

    @Test("The reader agrees with Foundation on random documents")
    func documents() throws {
        var generator = TestSeed.generator(1)
        for _ in 0..<(Explore.isOn ? 3000 : 500) {
            let bytes = Array(randomJSON(depth: 4, &generator).utf8)
            let value = try #require(ours(bytes), "\(String(decoding: bytes, as: UTF8.self))")
            let other = try #require(foundations(bytes), "\(String(decoding: bytes, as: UTF8.self))")
            #expect(agrees(value, other), "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test("Foundation agrees with the reader on every damaged document that the reader accepts")
    func spoiled() {
        var generator = TestSeed.generator(2)
        var refused = 0
        let rounds = Explore.isOn ? 20_000 : 3_000
        for _ in 0..<rounds {
            var bytes = Array(randomJSON(depth: 2, &generator).utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.remove(at: index)
                case 1: bytes[index] = Array("\"\\{}[],:0-e.utn \u{1}é".utf8).randomElement(using: &generator) ?? 0
                default: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                }
            }
            guard let value = ours(bytes) else {
                refused += 1
                continue
            }
            let other = foundations(bytes)
            #expect(other.map { agrees(value, $0) } ?? false, "\(bytes) \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(refused > rounds / 4)
    }

    @Test(
        "The reader rejects invalid JSON, duplicate names and numbers out of range",
        arguments: [
            "", " ", "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x10", "NaN", "Infinity", "tru", "nul", "'a'", "\"a",
            "\"\u{1}\"",
            "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\ud800\"", "\"\\ud800x\"", "[1,]", "[,1]",
            "[1 2]", "{\"a\":1,}",
            "{\"a\"}", "{a:1}", "{\"a\":1 \"b\":2}", "1 2", "[1]]", "// x\n1", "1e999", "{\"a\":1,\"a\":1}",
            "\u{FEFF}1",
        ])
    func notAllowed(text: String) {
        #expect(ours(Array(text.utf8)) == nil)
    }

    @Test(
        "The reader rejects strings that are not UTF-8",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(ours([0x22] + bytes + [0x22]) == nil)
        #expect(ours(Array("\"\\n".utf8) + bytes + [0x22]) == nil)
    }

    @Test(
        "The reader preserves the value of a number",
        arguments: [
            ("9223372036854775807", JSONValue.number(.integer(.max))),
            ("-9223372036854775808", .number(.integer(.min))),
            ("9223372036854775808", .number(.real(9_223_372_036_854_775_808))), ("0", .number(.integer(0))),
            ("-0", .number(.real(-0.0))),
            ("1.0", .number(.real(1))), ("1e2", .number(.real(100))), ("5e-324", .number(.real(5e-324))),
            ("-0.5E+1", .number(.real(-5))),
        ])
    func numbers(text: String, value: JSONValue) {
        #expect(ours(Array(text.utf8)) == value)
    }

    @Test("The reader and Foundation read back written strings and numbers")
    func writer() throws {
        var generator = TestSeed.generator(3)
        for _ in 0..<(Explore.isOn ? 2000 : 500) {
            let text = randomText(&generator)
            var json = JSONWriter()
            json.text(text)
            #expect(ours(json.bytes) == .text(text))
            #expect((foundations(json.bytes) as? String)?.utf8.elementsEqual(text.utf8) == true)
            let number = Double(bitPattern: .random(in: 0...UInt64.max, using: &generator))
            guard number.isFinite else { continue }
            json.removeAll()
            json.real(number)
            #expect(ours(json.bytes) == .number(.real(number)))
        }
    }

    @Test("Nesting beyond the limit is rejected without a stack overflow")
    func depth() {
        #expect(ours(Array(String(repeating: "[", count: 1_000_000).utf8)) == nil)
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(ours(nested(JSONReader.depthLimit)) != nil)
        #expect(ours(nested(JSONReader.depthLimit + 1)) == nil)
    }

    @Test("A round trip preserves every character at any position in a string")
    func everyCharacter() throws {
        let characters =
            (0..<0x100).compactMap(Unicode.Scalar.init).map(Character.init) + ["é", "\u{301}", "🦢", "\u{2028}"]
        for character in characters {
            for place in [0, 1, 6, 7, 8, 9, 15, 16, 17] {
                let text =
                    String(repeating: "x", count: place) + String(character) + String(repeating: "y", count: 17 - place)
                var json = JSONWriter()
                json.text(text)
                var reader = JSONReader(json.bytes)
                let read = try reader.text()
                #expect(read.utf8.elementsEqual(text.utf8), "\(text.debugDescription)")
                // Another decoder reads the same text.
                let other =
                    try JSONSerialization.jsonObject(with: Data(json.bytes), options: .fragmentsAllowed) as? String
                #expect(other?.unicodeScalars.elementsEqual(text.unicodeScalars) == true, "\(text.debugDescription)")
            }
        }
    }
}

private func randomText(_ generator: inout SeededGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<12, using: &generator) {
        let range: ClosedRange<UInt32> =
            [0x01...0x7F, 0x20...0x7E, 0x80...0xFFFF, 0x1_0000...0x10_FFFF].randomElement(using: &generator) ?? 0...1
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.append(scalar) }
    }
    return String(text)
}

private func randomJSON(depth: Int, _ generator: inout SeededGenerator) -> String {
    let blank = ["", "", "", " ", "\t", "\n"].randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
    case 0: return blank + "null"
    case 1: return blank + ["true", "false"][Int.random(in: 0..<2, using: &generator)]
    case 2: return blank + "\(Int64.random(in: -1_000_000...1_000_000, using: &generator))"
    case 3:
        return blank + "\(Double.random(in: -1e6...1e6, using: &generator))"
            + ["", "e3", "E-4"][Int.random(in: 0..<3, using: &generator)]
    case 4, 5:
        var json = JSONWriter()
        json.text(randomText(&generator))
        var text = String(decoding: json.bytes, as: UTF8.self)
        if text.utf8.count > 2, Bool.random(using: &generator) {
            text = "\"\\u00e9\\ud83d\\ude00\\/\\b" + text.dropFirst()
        }
        return blank + text
    case 6:
        let elements = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
            randomJSON(depth: depth - 1, &generator)
        }
        return blank + "[" + elements.joined(separator: ",") + blank + "]"
    default:
        let members = (0..<Int.random(in: 0..<4, using: &generator)).map {
            "\"k\($0)\"\(blank):" + randomJSON(depth: depth - 1, &generator)
        }
        return blank + "{" + members.joined(separator: ",") + blank + "}"
    }
}
