import Foundation
import TestSupport
import Testing

/// Compares `docs/commands.md` with the commands that the program itself lists.
@Suite("The documentation of the commands")
struct CommandLineDocumentationTests {
    @Test("Every command has a section that names its flags and subcommands")
    func documented() async throws {
        let page = try CommandPage(text: SourceTree.text(of: "docs/commands.md"))
        let commands = try await Command.ofProgram.value
        #expect(commands.count >= 12)
        for command in commands {
            let section = try #require(page.sections[command.name], "There is no section '## \(command.name)'.")
            #expect(command.flags.subtracting(page.common).subtracting(CommandPage.flags(in: section)) == [])
            for name in command.subcommandNames { #expect(section.contains("\(command.name) \(name)")) }
        }
    }

    @Test("The page names only existing commands and flags")
    func existing() async throws {
        let page = try CommandPage(text: SourceTree.text(of: "docs/commands.md"))
        let commands = try await Command.ofProgram.value
        #expect(Set(page.sections.keys) == Set(commands.map(\.name)))
        for command in commands {
            let named = CommandPage.flags(in: page.sections[command.name] ?? "")
            #expect(named.subtracting(command.flags).subtracting(page.common) == [], "of \(command.name)")
        }
    }

    @Test("The other documents name only flags of the program or of other tools", arguments: documents)
    func elsewhere(document: String) async throws {
        var flags = try await Command.ofProgram.value.reduce(into: Self.foreignFlags) { $0.formUnion($1.flags) }
        if document == "docs/postgresql-operations.md" { flags.formUnion(Self.clusterFlags) }
        #expect(CommandPage.flags(in: try SourceTree.text(of: document)).subtracting(flags) == [])
    }

    @Test("The parser finds flags and sections exactly")
    func planted() {
        let page = CommandPage(text: "All take `--data`.\n## serve\nGive `--data-age`.\n## user\nNone.")
        #expect(page.common == ["--data"])
        #expect(page.sections.keys.sorted() == ["serve", "user"])
        #expect(CommandPage.flags(in: page.sections["serve"] ?? "") == ["--data-age"])
    }

    @Test("The program reports the newest version of the change log")
    func version() async throws {
        let changes = try SourceTree.text(of: "CHANGELOG.md")
        let newest = try #require(changes.firstMatch(of: /\n## ([0-9]+\.[0-9]+\.[0-9]+)/)?.output.1)
        #expect(try await Command.output(of: ["--version"]) == "Aviary \(newest)\n")
    }

    private static let documents: [String] = {
        let pages = try? FileManager.default.contentsOfDirectory(atPath: SourceTree.root.appending(path: "docs").path)
        // If the folder is missing, the other tests fail.
        return ["README.md", "SECURITY.md", "CONTRIBUTING.md", "deploy/RUNBOOK.md"]
            + (pages ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }()

    /// Flags of the compiler, of container tools and of systemd.
    private static let foreignFlags: Set<String> = [
        "--help", "--version", "--product", "--filter", "--strict", "--static-swift-stdlib", "--build-tests", "--now",
        "--signal",
        "--name", "--rm", "--pod", "--build-arg", "--cap-drop", "--env-file", "--read-only", "--security-opt",
        "--tmpfs",
    ]
    /// Flags of PostgreSQL's programs, patronictl, etcdctl and curl.
    private static let clusterFlags: Set<String> = [
        "--dbname", "--exit-on-error", "--file", "--format", "--owner", "--candidate", "--force", "--leader",
        "--cluster", "--peer-urls", "--cacert", "--cert", "--key", "--silent",
    ]
}

/// The sections of `docs/commands.md`.
private struct CommandPage {
    /// The text of each section by its heading.
    private(set) var sections: [String: String] = [:]
    /// The flags that the introduction names for all commands.
    let common: Set<String>

    init(text: String) {
        let parts = text.components(separatedBy: "\n## ")
        common = Self.flags(in: parts[0])
        for part in parts.dropFirst() {
            let lines = part.split(separator: "\n", maxSplits: 1)
            sections[String(lines[0])] = lines.count > 1 ? String(lines[1]) : ""
        }
    }

    static func flags(in text: String) -> Set<String> {
        Set(text.matches(of: /--[a-z][a-z0-9-]*/).map { String($0.0) })
    }
}

/// A command as `--experimental-dump-help` of the argument parser describes it.
private struct Command: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }
        let names: [Name]?
        let shouldDisplay: Bool
    }

    let commandName: String
    let shouldDisplay: Bool
    let arguments: [Argument]?
    let subcommands: [Command]?

    var name: String { commandName }
    var subcommandNames: [String] { (subcommands ?? []).map(\.name) }

    /// The long flags of the command and its subcommands; every command has `--help` and `--version`.
    var flags: Set<String> {
        let own = (arguments ?? []).filter(\.shouldDisplay).flatMap { $0.names ?? [] }
            .filter { $0.kind == "long" }.map { "--\($0.name)" }
        return (subcommands ?? []).reduce(into: Set(own)) { $0.formUnion($1.flags) }.subtracting([
            "--help", "--version",
        ])
    }

    /// The commands that the example application shows in its help.
    static let ofProgram = Task {
        struct Dump: Decodable { let command: Command }
        let dump = try await output(of: ["--experimental-dump-help"])
        let root = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
        return (root.subcommands ?? []).filter { $0.shouldDisplay && $0.name != "help" }
    }

    static func output(of arguments: [String]) async throws -> String {
        let process = Process()
        process.executableURL = try #require(Bundle.main.executableURL).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "zoo")
        process.arguments = arguments
        let output = try process.runAloneWithOutput()
        return await onThread {
            let data = output.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
    }
}
