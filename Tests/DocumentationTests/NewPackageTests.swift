import Foundation
import TestSupport
import Testing

@Suite("The package of a new application is what the first page describes")
struct NewPackageTests {
    private static let page = "Sources/Aviary/Aviary.docc/GettingStarted.md"

    @Test("The manifest is that of the page, line by line")
    func manifest() async throws {
        let package = try await NewPackage(["Clinic"], from: "../Aviary")
        let block = try #require(try Page(Self.page).blocks.first { $0.info == "swift" })
        #expect(block.lines.first == "// swift-tools-version: 6.2")
        #expect(try package.text(of: "Package.swift") == block.lines.joined(separator: "\n") + "\n")
    }

    @Test("The page names every file, and no other")
    func files() async throws {
        let package = try await NewPackage(["Clinic"], from: "../Aviary")
        let rows = try Page(Self.page).text.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) }
        }
        #expect(named.count == 12)
        #expect(try package.files().sorted() == named.sorted())
    }

    @Test("The application is declared as on the page, in the file that the page names")
    func application() async throws {
        let package = try await NewPackage(["Clinic"], from: "../Aviary")
        let declaration = "@main\nstruct Clinic: AviaryApp {\n    var admin: some Admin {\n"
        #expect(try package.text(of: "Sources/Clinic.swift").contains(declaration))
        let page = try Page(Self.page)
        #expect(page.blocks.contains { $0.lines.joined(separator: "\n").contains(declaration) })
    }

    @Test("The commands of the page are those that the package's own page has")
    func commands() async throws {
        let package = try await NewPackage(["Clinic"], from: "../Aviary")
        let readme = try package.text(of: "README.md"), page = try Page(Self.page).text
        for command in [
            "swift run clinic serve --data ./data", "sudo apt-get install g++ pkg-config libsqlite3-dev zlib1g-dev",
        ] {
            #expect(readme.contains(command) && page.contains(command), "\(command)")
        }
    }

    @Test("Nothing in the files is of the example application")
    func names() async throws {
        let package = try await NewPackage(["Clinic"], from: "../Aviary")
        for file in try package.files() {
            let text = try package.text(of: file)
            #expect(!text.lowercased().contains("zoo"), "\(file)")
            if file.hasPrefix("deploy/") { #expect(!text.contains("aviary"), "\(file)") }
        }
        let service = try package.text(of: "deploy/clinic.service")
        #expect(service.contains("ExecStart=/usr/local/bin/clinic serve --data /var/lib/clinic\n"))
        #expect(service.contains("Requires=clinic.socket\n") && service.contains("User=clinic\n"))
    }

    @Test("The package depends on an address and a version when it is told so")
    func addresses() async throws {
        let address = "https://git.example/admin/Aviary.git"
        let released = try await NewPackage(["Shop", "--version", "1.2.0"], from: address).text(of: "Package.swift")
        #expect(released.contains(".package(url: \"\(address)\", from: \"1.2.0\")"))
        let newest = try await NewPackage(["Shop"], from: address).text(of: "Package.swift")
        #expect(newest.contains(".package(url: \"\(address)\", branch: \"main\")"))
    }

    @Test(
        "The products are those of the package that SwiftPM finds at the path or the address",
        arguments: [
            "../Aviary", "../Aviary/", "../Aviary/deploy/..", "https://git.example/admin/Aviary.git",
            "https://git.example/admin/Aviary/", "git@git.example:Aviary.git",
        ])
    func identities(dependency: String) async throws {
        let manifest = try await NewPackage(["Clinic"], from: dependency).text(of: "Package.swift")
        #expect(manifest.matches(of: /package: "([^"]*)"/).map { String($0.1) } == ["Aviary", "Aviary"])
    }

    @Test("The backup and the service have the same user and the same data directory")
    func backups() async throws {
        let package = try await NewPackage(["Clinic"], from: "../Aviary")
        let service = try package.text(of: "deploy/clinic.service")
        let backup = try package.text(of: "deploy/clinic-backup.service")
        #expect(backup.contains("ExecStart=/usr/local/bin/clinic backup --with-history --data /var/lib/clinic\n"))
        for line in ["User=clinic", "Group=clinic", "StateDirectory=clinic", "EnvironmentFile=-/etc/clinic/clinic.env"]
        {
            #expect(service.contains(line + "\n") && backup.contains(line + "\n"), "\(line)")
        }
        let users = try package.text(of: "deploy/clinic-sysusers.conf")
        #expect(users.contains("u clinic - \"Clinic admin\" /var/lib/clinic\n"))
    }

    @Test(
        "A name or an address that cannot stand in the manifest is wrong usage, and writes nothing",
        arguments: [
            ["clinic"], ["Cli nic"], ["../Clinic"], ["Clinic\"; x"], ["Item"], ["Model"], [],
            ["Class"], ["Main"], ["Zoo"], ["Backup"], ["Abcdefghijklmnopqrstuvwxyzabcdef"],
            ["Clinic", "--version", "1\", x: \""], ["Clinic", "--from"], ["Clinic", "--unknown"],
            ["Clinic", "--version", "1.0.0"], ["Clinic", "a", "b"],
        ])
    func refused(arguments: [String]) async throws {
        let run = try await NewPackage.run(arguments)
        defer { run.remove() }
        #expect(run.exitCode == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: run.folder.path) == [])
    }

    @Test("A folder that is not empty stays as it is")
    func occupied() async throws {
        let run = try await NewPackage.run(["Clinic"]) { folder in
            let taken = folder.appending(path: "Clinic")
            try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
            try "mine".write(to: taken.appending(path: "notes"), atomically: true, encoding: .utf8)
        }
        defer { run.remove() }
        #expect(run.exitCode == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: run.folder.path + "/Clinic") == ["notes"])
    }
}

/// A package that `scripts/aviary-init` has written into a temporary folder.
private final class NewPackage: Sendable {
    /// A run of the script in an empty folder of its own.
    struct Run {
        let folder: URL
        let exitCode: Int32

        func remove() { try? FileManager.default.removeItem(at: folder) }  // the system cleans its temporary folder too
    }

    private let run: Run
    private let name: String

    init(_ arguments: [String], from dependency: String) async throws {
        name = arguments[0]
        run = try await Self.run(arguments + ["--from", dependency])
        try #require(run.exitCode == 0)
    }

    deinit { run.remove() }

    func text(of file: String) throws -> String {
        try String(contentsOf: run.folder.appending(path: name).appending(path: file), encoding: .utf8)
    }

    /// Returns the paths of the files, relative to the package.
    func files() throws -> [String] {
        let folder = run.folder.appending(path: name).path
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    /// Runs the script in a new folder.
    ///
    /// - Parameter prepare: A closure that fills the folder before.
    static func run(_ arguments: [String], prepare: (URL) throws -> Void = { _ in }) async throws -> Run {
        let folder = FileManager.default.temporaryDirectory.appending(path: "aviary-init-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try prepare(folder)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bash", Page.root.appending(path: "scripts/aviary-init").path] + arguments
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let exitCode = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.runAlone()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        return Run(folder: folder, exitCode: exitCode)
    }
}
