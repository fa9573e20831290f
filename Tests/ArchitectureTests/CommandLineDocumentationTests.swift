import Foundation
import Testing

@Suite("The README tells of every flag of the command line")
struct CommandLineDocumentationTests {
    private static let isMissing = !FileManager.default.fileExists(
        atPath: SourceTree.root.appending(path: "README.md").path)

    @Test(
        "Every flag of a command's help is mentioned", .disabled(if: isMissing, "There is no README.md yet."),
        arguments: ["serve", "import", "check"])
    func documented(command: String) async throws {
        let flags = Self.flags(in: try await Self.help(of: command))
        #expect(flags.count >= 4)
        #expect(Self.undocumented(flags, in: try SourceTree.text(of: "README.md")) == [])
    }

    @Test("A command's help has its flags, whether or not the README tells of them")
    func help() async throws {
        let flags = Self.flags(in: try await Self.help(of: "serve"))
        #expect(flags.isSuperset(of: ["--host", "--port", "--data", "--demo", "--in-process"]))
    }

    @Test("A flag that is forgotten is found, also when its name begins like another")
    func planted() {
        let flags = Self.flags(in: "OPTIONS:\n  --data <dir>  The directory.\n  --data-age, -a  How old.\n  -h, --help")
        #expect(flags == ["--data", "--data-age"])
        #expect(Self.undocumented(flags, in: "Give `--data-age`.") == ["--data"])
    }

    /// The flags that are the command's own: every command has `--help`.
    private static func flags(in help: String) -> Set<String> {
        Set(help.matches(of: /--[a-z][a-z-]*/).map { String($0.0) }).subtracting(["--help", "--version"])
    }

    private static func undocumented(_ flags: Set<String>, in text: String) -> [String] {
        let named = Set(text.matches(of: /--[a-z][a-z-]*/).map { String($0.0) })
        return flags.subtracting(named).sorted()
    }

    private static func help(of command: String) async throws -> String {
        let process = Process()
        process.executableURL = try #require(Bundle.main.executableURL).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "zoo")
        process.arguments = [command, "--help"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let data = output.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}
