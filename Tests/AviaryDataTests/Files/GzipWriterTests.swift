import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Gzip writer")
struct GzipWriterTests {
    private let directory = TemporaryDirectory()

    init() throws {
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    }

    @Test("Output of each level can be read by the gzip reader and the gzip program", arguments: 1...9)
    func levels(level: Int) throws {
        var generator = SeededGenerator(seed: UInt64(level))
        let random = (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let repeated = [UInt8](repeating: 7, count: 100_000)
        let lines = [UInt8]((0..<5_000).map { "{\"id\":\($0),\"name\":\"Heron\"}\n" }.joined().utf8)
        let path = directory.path + "/\(level).gz"
        let file = try AtomicFile(path)
        let gzip = try GzipWriter(to: file.sink, level: level)
        for part in [[], random, repeated, [UInt8(10)], lines, []] { try gzip.write(part) }
        try gzip.finish()
        try file.publish()
        let all = random + repeated + [10] + lines
        #expect(try read(path) == all)
        #expect(try run("/usr/bin/gzip", ["--test", path]).status == 0)
    }

    @Test("Empty input produces a complete gzip member", arguments: [1, 9])
    func nothing(level: Int) throws {
        let path = directory.path + "/nothing.gz"
        let file = try AtomicFile(path)
        try GzipWriter(to: file.sink, level: level).finish()
        try file.publish()
        #expect(try read(path) == [])
        #expect(try run("/usr/bin/gzip", ["--test", path]).status == 0)
    }

    @Test("The highest level produces a smaller file than the lowest")
    func smallest() throws {
        let lines = [UInt8](
            (0..<10_000).map { "{\"id\":\($0 &* 2_654_435_761 & 0xFFFF_FFFF),\"name\":\"Heron \($0 % 97)\"}\n" }
                .joined().utf8)
        let sizes = try [1, 9].map { level in
            let file = try AtomicFile(directory.path + "/\(level).gz")
            let gzip = try GzipWriter(to: file.sink, level: level)
            try gzip.write(lines)
            try gzip.finish()
            return lseek(file.sink.descriptor, 0, SEEK_CUR)
        }
        #expect(sizes[1] < sizes[0])
    }

    private func read(_ path: String) throws -> [UInt8] {
        let gzip = try GzipReader(path)
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try gzip.read(into: $0) }
            if count == 0 { return all }
            all += buffer[..<count]
        }
    }
}
