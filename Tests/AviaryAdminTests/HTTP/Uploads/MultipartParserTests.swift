import AviaryDomain
import Testing

@testable import AviaryAdmin
@testable import AviaryHTTP

@Suite("Multipart forms")
struct MultipartParserTests {
    private static let type = "multipart/form-data; boundary=----x"

    private static func form(_ file: [UInt8]) -> [UInt8] {
        Array(
            """
            ------x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\ntoken\r\n\
            ------x\r\nContent-Disposition: form-data; name="empty"\r\n\r\n\r\n\
            ------x\r\nContent-Disposition: form-data; name="file"; filename="a \\"b\\".gz"\r\nContent-Type: application/gzip\r\n\r\n
            """.utf8) + file + Array("\r\n------x--\r\n".utf8)
    }

    /// Returns the events of a body that arrives in parts of this size, with the bytes of the file joined.
    private func events(_ body: [UInt8], parts: Int = .max, type: String = type) throws -> [MultipartParser.Event] {
        var parser = try MultipartParser(contentType: type)
        var events: [MultipartParser.Event] = []
        var file: [UInt8] = []
        var rest = body[...]
        var isOver = false
        while !isOver {
            while let event = try parser.next() {
                if case .bytes(let bytes) = event { file += bytes } else { events.append(event) }
            }
            isOver = rest.isEmpty
            parser.append(rest.prefix(parts))
            rest = rest.dropFirst(parts)
        }
        guard events.last == .end else { throw MultipartParser.Malformed() }
        return events.dropLast() + [.bytes(file)]
    }

    @Test("Fields and files are parsed unchanged, however the bytes arrive", arguments: [1, 2, 3, 7, 64, Int.max])
    func parts(size: Int) throws {
        // The file contains many texts that almost match the boundary.
        let file = Array("\r\n------\r\n\r\n------\r\r\n------y\n------x--".utf8) + (0...255).map { UInt8($0) } + [13]
        #expect(
            try events(Self.form(file), parts: size) == [
                .field(name: "csrf", value: "token"), .field(name: "empty", value: ""),
                .file(name: "file"), .bytes(file),
            ])
    }

    @Test("The parser searches each byte at most twice, however small the parts are", arguments: [1, 16, 1000])
    func once(size: Int) throws {
        let value = String(repeating: "a", count: 60_000)
        let body = Array(
            "------x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\(value)\r\n------x--\r\n".utf8)
        var parser = try MultipartParser(contentType: Self.type)
        var events: [MultipartParser.Event] = []
        for start in stride(from: 0, to: body.count, by: size) {
            parser.append(body[start..<min(start + size, body.count)])
            while let event = try parser.next() { events.append(event) }
        }
        #expect(events == [.field(name: "a", value: value), .end])
        #expect(parser.searchedBytes <= body.count * 2)
    }

    @Test("An empty file is accepted")
    func empty() throws {
        #expect(try events(Self.form([])).last == .bytes([]))
    }

    private enum Damage: String, CaseIterable, Sendable {
        case noEnd, behindTheEnd, beforeTheBeginning, anotherPart, noName, nameTwice, dispositionTwice, noText,
            withoutBounds

        func apply(to form: [UInt8]) -> [UInt8] {
            func replacing(_ old: String, _ new: String) -> [UInt8] {
                Array(String(decoding: form, as: UTF8.self).replacing(old, with: new, maxReplacements: 1).utf8)
            }
            return switch self {
            case .noEnd: form.dropLast(6)
            case .behindTheEnd: form + [65]
            case .beforeTheBeginning: [65] + form
            case .anotherPart:
                form.dropLast(4)
                    + Array("\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\nx\r\n------x--\r\n".utf8)
            case .noName: replacing("name=\"csrf\"", "nome=\"csrf\"")
            case .nameTwice: replacing("name=\"csrf\"", "name=\"csrf\"; name=\"x\"")
            case .dispositionTwice:
                replacing("Content-Type: application/gzip", "Content-Disposition: form-data; name=\"y\"")
            case .noText: replacing("token", "tok\u{0}en").map { $0 == 0 ? 0xFF : $0 }
            case .withoutBounds: replacing("token", String(repeating: "a", count: 70_000))
            }
        }
    }

    @Test("An ambiguous or malformed form is rejected", arguments: Damage.allCases)
    private func malformed(damage: Damage) {
        for parts in [7, Int.max] {
            #expect(throws: MultipartParser.Malformed.self) {
                try events(damage.apply(to: Self.form([1, 2, 3])), parts: parts)
            }
        }
    }

    @Test(
        "A content type without exactly one valid boundary is rejected",
        arguments: [
            "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=a; boundary=b",
            "multipart/mixed; boundary=a", "multipart/form-data; boundary=a\"b",
            "multipart/form-data; boundary=\(String(repeating: "a", count: 71))",
        ])
    func boundaries(type: String) {
        #expect(throws: MultipartParser.Malformed.self) { try MultipartParser(contentType: type) }
    }
}
