import AviaryDomain
import Foundation
import Logging
import Testing

@testable import AviaryAdmin

@Suite("Log handler")
struct LineLogHandlerTests {
    private let directory: TestDirectory
    private let file: FileHandle

    init() throws {
        directory = try TestDirectory()
        try Data().write(to: URL(filePath: directory.path("log")))
        file = try FileHandle(forUpdating: URL(filePath: directory.path("log")))
    }

    private func logger(_ format: LogFormat = .json, source: String? = nil, level: Logger.Level = .notice) -> Logger {
        Logger(label: "test") { _ in
            LineLogHandler(
                process: .worker, format: format, source: source, output: LogOutput(file.fileDescriptor),
                logLevel: level)
        }
    }

    private func events() throws -> [[String: Any]] {
        let text = String(decoding: try Data(contentsOf: URL(filePath: directory.path("log"))), as: UTF8.self)
        return try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func metadata() throws -> [[String: String]] {
        try events().map { ($0["metadata"] as? [String: Any] ?? [:]).mapValues { "\($0)" } }
    }

    @Test("A request that has two metadata keys appears in the line once")
    func namedTwice() throws {
        var logger = logger(.text)
        logger[metadataKey: "hb.request.id"] = "abc"
        logger.notice("m", metadata: ["request": "abc"])
        let line = String(decoding: try Data(contentsOf: URL(filePath: directory.path("log"))), as: UTF8.self)
        #expect(line.split(separator: "request=").count == 2)
    }

    @Test("The event's metadata overrides the logger's, and library keys are renamed")
    func merged() throws {
        var logger = logger(source: "other")
        logger[metadataKey: "hb.request.id"] = "abc"
        logger[metadataKey: "kept"] = "old"
        logger.notice("m", metadata: ["kept": "new", "list": ["1", "2"]])
        #expect(try metadata() == [["request": "abc", "kept": "new", "list": #"["1", "2"]"#, "logger": "other"]])
    }

    @Test("Events below the level are not written, and libraries write only warnings and errors")
    func levels() throws {
        let logger = logger(level: .info)
        logger.debug("debug")
        logger.info("info")
        logger.forLibraries.notice("library")
        logger.forLibraries.warning("warning")
        #expect(try events().map { $0["msg"] as? String } == ["info", "warning"])
    }

    @Test("Errors are logged without values")
    func redacted() throws {
        struct Secret: Error { let value: String }
        let marker = "marker-7c1e"
        let errors: [any Error] = [
            Secret(value: marker), FieldProblem(property: "name", message: marker),
            StoreError.invalid(model: "Animal", [FieldProblem(property: "name", message: marker)]),
            StoreError.malformed(marker),
            StoreError.conflict(model: "Animal", current: Record(id: UUID(), version: 1, values: [.text(marker)])),
            DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: marker)),
            NSError(domain: "domain", code: 5, userInfo: [NSLocalizedDescriptionKey: marker]),
        ]
        for error in errors { logger().error("m", error: error) }
        let log = String(decoding: try Data(contentsOf: URL(filePath: directory.path("log"))), as: UTF8.self)
        #expect(!log.contains(marker), "\(log)")
        let texts = try metadata().compactMap { $0["error"] }
        #expect(texts.count == errors.count)
        #expect(texts[0].contains("Secret"))
        #expect(texts[2] == "invalid Animal: name")
        #expect(texts[6] == "domain 5")
    }

    @Test("Concurrent lines are never interleaved")
    func atomic() async throws {
        // All writers share one descriptor, as child processes inherit it.
        let logger = logger()
        await withTaskGroup { group in
            for writer in 0..<8 {
                group.addTask {
                    for _ in 0..<200 { logger.notice("\(String(repeating: "\(writer)", count: 900))") }
                }
            }
        }
        let messages = try events().compactMap { $0["msg"] as? String }
        #expect(messages.count == 1600)
        #expect(messages.allSatisfy { Set($0).count == 1 && $0.count == 900 })
    }

    @Test("Logging never blocks on a full pipe, and the number of lost lines is logged later")
    func fullPipe() throws {
        let pipe = Pipe()
        let output = LogOutput(pipe.fileHandleForWriting.fileDescriptor)
        let logger = Logger(label: "test") { _ in
            LineLogHandler(process: .worker, format: .json, source: nil, output: output, logLevel: .notice)
        }
        let written = 1000
        for _ in 0..<written { logger.notice("\(String(repeating: "x", count: 900))") }
        // The read returns the available bytes and does not wait for the end of the pipe.
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(pipe.fileHandleForReading.fileDescriptor, &bytes, bytes.count)
        try #require(count > 0)
        logger.notice("after")
        try pipe.fileHandleForWriting.close()
        let rest = try #require(try pipe.fileHandleForReading.readToEnd())
        let lines = try String(decoding: bytes.prefix(count) + rest, as: UTF8.self).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let reported = try #require(lines.dropLast().last)
        #expect(lines.last?["msg"] as? String == "after")
        #expect(reported["msg"] as? String == "lines of the log were lost: nobody took them")
        #expect((reported["metadata"] as? [String: Int])?["lines"] == written - (lines.count - 2))
    }
}
