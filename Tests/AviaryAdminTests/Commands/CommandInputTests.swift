import Foundation
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands

@Suite("Input files of commands")
struct CommandInputTests {
    private let directory: TestDirectory

    init() throws {
        directory = try TestDirectory()
    }

    @Test("Input from a pipe can be read repeatedly, and its temporary file has no name")
    func pipe() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("name\nEmu\n".utf8))
        try pipe.fileHandleForWriting.close()
        // The path is written as a shell writes <(…).
        let file = try CommandInput.file("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
        defer { file.close() }
        for _ in 0..<2 { #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "name\nEmu\n") }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path).hasSuffix(" (deleted)"))
    }

    @Test("A file on disk is read in place")
    func file() throws {
        let path = try directory.file("a.csv", Array("name\n".utf8))
        #expect(try CommandInput.file(path).path == path)
    }

    @Test("A missing file is an error")
    func missing() {
        #expect(throws: UnreadableFile.self) { try CommandInput.file(directory.path("missing.csv")) }
    }
}

@Suite("Amounts in a terminal")
struct AmountTests {
    @Test(
        "A duration is shown in its two largest units",
        arguments: [
            (0.4, "0 s"), (45.9, "45 s"), (725, "12 min 5 s"), (3600, "1 h"), (273_600, "3 d 4 h"), (-5, "0 s"),
        ])
    func duration(seconds: Double, text: String) {
        #expect(Amount.duration(seconds) == text)
    }
}
