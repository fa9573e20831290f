import Aviary
import AviaryTesting
import Foundation
import Testing

// The sources of these packages are compiled here through symbolic links. Their own tests run in scripts/test-packages.
@Suite("The packages in Examples")
struct ExampleTests {
    private static let packages = ["Library", "Observatory"]

    /// Serves the sample records of an application and returns the statuses of pages for an editor, by path.
    private func statuses<App: AviaryApp>(of app: App.Type, _ paths: [String]) async throws -> [String: Int] {
        try await TestApplication.serve(app, withSampleData: true) { application in
            let browser = try await application.signedIn(as: "ada", role: .editor)
            var found: [String: Int] = [:]
            for path in paths {
                let page = try await browser.get(path)
                found[path] = page.status
                // The sheet of a sample record has more to show than that of a new one.
                if path.hasPrefix("/admin/"), !path.hasSuffix("/new"), let row = page.rows.first {
                    found[row.path] = try await browser.get(row.path).status
                }
            }
            return found
        }
    }

    @Test("The library serves its lists and sheets")
    func library() async throws {
        let paths = ["books", "authors", "loans"].flatMap { ["/admin/\($0)", "/admin/\($0)/new"] }
        let found = try await statuses(of: Library.self, paths)
        #expect(found.count == 9)
        #expect(found.filter { $0.value != 200 } == [:])
    }

    @Test("The observatory serves its lists, its sheets and its own page")
    func observatory() async throws {
        let models = ["observations", "targets", "telescopes", "eyepieces", "observers"]
        let paths = models.flatMap { ["/admin/\($0)", "/admin/\($0)/new"] } + [NightPage.path]
        let found = try await statuses(of: Observatory.self, paths)
        #expect(found.count == 16)
        #expect(found.filter { $0.value != 200 } == [:])
    }

    @Test("Each package has its sources here, and none other is left out")
    func linked() throws {
        let folder = Page.root.appending(path: "Examples")
        let found = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            FileManager.default.fileExists(atPath: folder.path + "/\($0)/Package.swift")
        }
        #expect(found.sorted() == Self.packages)
        for package in found {
            let sources = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/\(package)/Sources")
            #expect(sources.sorted() == [package, "main.swift"])
            let link = Page.root.appending(path: "Tests/DocumentationTests/Examples/\(package)")
                .resolvingSymlinksInPath()
            #expect(link.path == folder.appending(path: "\(package)/Sources/\(package)").resolvingSymlinksInPath().path)
        }
    }

    @Test("The program, the manifest and the page of a package have the same name", arguments: packages)
    func names(package: String) throws {
        let folder = "Examples/\(package)", program = package.lowercased()
        let manifest = try Page("\(folder)/Package.swift").text
        #expect(manifest.hasPrefix("// swift-tools-version: 6.2\n"))
        #expect(manifest.contains("name: \"\(package)\",") && manifest.contains("name: \"\(program)\","))
        #expect(try Page("\(folder)/Sources/main.swift").text.contains("await \(package).main()"))
        #expect(try Page("\(folder)/Tests/\(package)Tests.swift").text.contains("@testable import \(program)\n"))
        let readme = try Page("\(folder)/README.md").text
        for path in readme.matches(of: /`((?:Sources|Tests)\/[^`]+)`/).map({ String($0.1) }) {
            #expect(FileManager.default.fileExists(atPath: Page.root.path + "/\(folder)/\(path)"), "\(path)")
        }
        #expect(readme.contains("swift run \(program) serve --data ./data"))
        #expect(try Page("Examples/README.md").text.contains("| [\(package)](\(package)) |"))
    }
}
