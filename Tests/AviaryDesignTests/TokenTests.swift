import Foundation
import Testing

@Suite("Design tokens")
struct TokenTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    private static func sheets() throws -> [(name: String, text: String)] {
        let files = try FileManager.default.contentsOfDirectory(
            at: root.appending(path: "Public/css"), includingPropertiesForKeys: nil)
        return try (files + [root.appending(path: "Tests/Gallery/gallery.css")]).map {
            ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8).replacing(/(?s)\/\*.*?\*\//, with: ""))
        }
    }

    /// Returns the custom properties of the token layer with their values.
    private static func tokens() throws -> [String: String] {
        let text = try #require(try sheets().first { $0.name == "aviary.css" }?.text)
        let layer = try #require(text.firstMatch(of: /(?s)@layer tokens \{(.*?)\n\}/)).1
        return Dictionary(
            layer.matches(of: /--([a-z0-9-]+): ([^;]+);/).map { (String($0.1), String($0.2)) }, uniquingKeysWith: { $1 }
        )
    }

    @Test("No other style sheet defines a colour")
    func colours() throws {
        for sheet in try Self.sheets() where sheet.name != "aviary.css" {
            // Shadows are black in light and dark mode.
            let colours = sheet.text.matches(of: /#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/).map { String($0.0) }
                .filter { $0.wholeMatch(of: /#000000[0-9a-f]{2}/) == nil }
            #expect(colours == [], "\(sheet.name)")
        }
    }

    @Test("Every custom property that is used is declared")
    func declared() throws {
        // An element sets these for its descendants.
        let local: Set = ["dot", "swipe", "reveal"]
        let names = Set(try Self.tokens().keys).union(local)
        for sheet in try Self.sheets() {
            let used = Set(sheet.text.matches(of: /var\(--([a-z0-9-]+)/).map { String($0.1) })
            #expect(used.subtracting(names) == [], "\(sheet.name)")
        }
    }

    @Test("Spaces are multiples of 4 px, and there are four text sizes")
    func scale() throws {
        let tokens = try Self.tokens()
        let spaces = tokens.filter { $0.key.hasPrefix("space-") }.values.compactMap { Double($0.dropLast(3)) }
        #expect(spaces.count >= 6 && spaces.allSatisfy { ($0 * 16).truncatingRemainder(dividingBy: 4) == 0 })
        #expect(tokens.keys.count { $0 == "text" || $0.hasPrefix("text-") } == 4)
    }

    @Test("The style sheets support reduced motion, printing and forced colours")
    func conditions() throws {
        let text = try Self.sheets().map(\.text).joined()
        #expect(text.contains("@media (prefers-reduced-motion: reduce)"))
        #expect(text.contains("@media print") && text.contains("@media (forced-colors: active)"))
    }
}
