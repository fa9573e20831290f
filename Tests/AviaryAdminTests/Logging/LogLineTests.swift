import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

@Suite("Log lines")
struct LogLineTests {
    private static let hostile = [
        "two\nlines", "carriage\rreturn", "\u{1B}[2Jcleared", "tab\there", "nul\u{0}", "next\u{85}line",
        "sep\u{2028}\u{2029}",
        "right\u{202E}to left", "\"quoted\" \\n", "bell\u{7}", "combining \"\u{301}", "🦜", "",
    ]

    private func line(_ message: String, _ metadata: [(key: String, value: LogLine.Value)] = []) -> LogLine {
        LogLine(
            time: "2026-11-21T12:00:00.000Z", level: "notice", process: "worker", pid: 7, message: message,
            metadata: metadata
        )
    }

    private func text(_ line: LogLine) -> String { String(decoding: line.bytes(.text), as: UTF8.self) }

    @Test("A text line has the time, level, process, message and named metadata")
    func people() {
        let line = line(
            "something happened",
            [
                ("route", .text("/admin/{model}")), ("status", .number("503")), ("why", .text("it \"is\" so")),
                ("none", .text("")),
            ])
        #expect(
            text(line)
                == #"2026-11-21T12:00:00.000Z notice worker[7]: something happened route=/admin/{model} status=503 why="it \"is\" so" none="""#
                + "\n")
    }

    @Test("A JSON line is one object with the same values and typed numbers")
    func programs() throws {
        struct Event: Decodable, Equatable {
            struct Metadata: Decodable, Equatable {
                let route: String
                let status: Int
            }

            let ts: String
            let level: String
            let process: String
            let pid: Int
            let msg: String
            let metadata: Metadata
        }

        let bytes = line("a \"message\"", [("route", .text("/")), ("status", .number("200"))]).bytes(.json)
        let event = try JSONDecoder().decode(Event.self, from: Data(bytes))
        #expect(
            event
                == Event(
                    ts: "2026-11-21T12:00:00.000Z", level: "notice", process: "worker", pid: 7, msg: "a \"message\"",
                    metadata: .init(route: "/", status: 200)
                ))
    }

    @Test("Control characters are escaped in messages, names and values", arguments: hostile)
    func harmless(value: String) throws {
        let line = line(value, [(value, .text(value)), ("other", .text(value))])
        for format in LogFormat.allCases {
            let written = String(decoding: line.bytes(format), as: UTF8.self)
            #expect(written.hasSuffix("\n"))
            let hidden = written.unicodeScalars.dropLast().filter { scalar in
                [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            }
            #expect(hidden.isEmpty, "\(written)")
        }
        let object = try JSONSerialization.jsonObject(with: Data(line.bytes(.json))) as? [String: Any]
        #expect((object?["msg"] as? String).map { Array($0.unicodeScalars) } == Array(value.unicodeScalars))
    }

    @Test("A value cannot forge another name and value")
    func forged() {
        #expect(text(line("m", [("a", .text("1 b=2"))])).hasSuffix(" a=\"1 b=2\"\n"))
        #expect(text(line("m", [("a", .text("1\" b=\"2"))])).hasSuffix(" a=\"1\\\" b=\\\"2\"\n"))
        #expect(text(line("m", [("a b=c", .text("1"))])).hasSuffix(" a_b_c=1\n"))
    }

    @Test(
        "A long line is truncated to an atomic pipe write and remains valid JSON",
        arguments: ["x", "\"", "\n", "é", "🦜"])
    func long(unit: String) throws {
        let text = String(repeating: unit, count: 20_000)
        let line = line(text, (0..<10).map { ("key\($0)", .text(text)) })
        for format in LogFormat.allCases {
            let bytes = line.bytes(format)
            #expect(bytes.count <= LogLine.longest)
            #expect(bytes.count > 500)
            #expect(bytes.last == 0x0A)
        }
        #expect(try JSONSerialization.jsonObject(with: Data(line.bytes(.json))) is [String: Any])
    }
}
