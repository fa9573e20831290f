import Foundation
import Testing

/// Tests of the contrast of the colours, which they read from the style sheet that the server sends.
@Suite struct ContrastTests {
    static let inks = [
        ("ink", "ground"), ("ink", "paper"), ("ink", "raised"), ("ink", "accent-ground"), ("ink", "note"),
        ("ink", "danger-ground"), ("ink-quiet", "ground"), ("ink-quiet", "paper"), ("ink-quiet", "raised"),
        ("ink-quiet", "accent-ground"), ("accent", "paper"), ("accent", "ground"), ("danger", "ground"),
        ("on-accent", "accent"), ("on-accent", "accent-hover"),
        ("danger", "paper"), ("danger", "raised"), ("danger", "accent-ground"), ("on-danger", "danger"),
        ("on-danger", "danger-hover"), ("on-inverse", "inverse"), ("inverse-accent", "inverse"),
    ]

    static let drawn =
        [("edge", "paper"), ("edge", "ground"), ("accent", "ground"), ("accent", "paper"), ("danger", "danger-ground")]
        + (0..<8).flatMap { [("hue-\($0)", "paper"), ("hue-\($0)", "raised"), ("hue-\($0)", "accent-ground")] }

    @Test("The contrast of text is sufficient in light and dark mode", arguments: inks)
    func text(ink: String, ground: String) throws {
        for scheme in 0...1 { #expect(try contrast(ink, ground, scheme) >= 4.5) }
    }

    @Test("The contrast of meaningful shapes is sufficient in light and dark mode", arguments: drawn)
    func shapes(ink: String, ground: String) throws {
        for scheme in 0...1 { #expect(try contrast(ink, ground, scheme) >= 3) }
    }

    private static let sheet = try? String(
        contentsOf: URL(filePath: #filePath).appending(path: "../../../Public/css/aviary.css").standardized,
        encoding: .utf8)

    private func contrast(_ first: String, _ second: String, _ scheme: Int) throws -> Double {
        let (one, other) = try (luminance(first, scheme), luminance(second, scheme))
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    private func luminance(_ token: String, _ scheme: Int) throws -> Double {
        let sheet = try #require(Self.sheet)
        let start = try #require(sheet.range(of: "--\(token): light-dark("))
        let end = try #require(sheet[start.upperBound...].firstIndex(of: ")"))
        let colours = sheet[start.upperBound..<end].split(separator: ", ")
        let hexadecimal = try #require(Int(colours[scheme].dropFirst(), radix: 16))
        let channels = [16, 8, 0].map { shift in
            let value = Double((hexadecimal >> shift) & 0xFF) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    }
}
