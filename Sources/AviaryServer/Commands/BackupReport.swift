import AviaryDomain
import Foundation

/// What `backup --json` tells.
struct BackupReport: Encodable {
    let summary: SnapshotSummary
    /// Of the file; nil when it went to standard output.
    let bytes: Int?
    let seconds: Double
    /// When it was proven restorable; nil when nobody asked.
    let provenAt: String?

    private enum CodingKeys: String, CodingKey {
        case bytes, seconds, provenAt
    }

    func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(bytes, forKey: .bytes)
        try container.encode(seconds, forKey: .seconds)
        try container.encodeIfPresent(provenAt, forKey: .provenAt)
    }

    /// One line.
    func words(_ schema: Schema) -> String {
        var parts = [bytes.map(Words.size), "sha256 \(summary.sha256)", String(format: "%.1f s", seconds)].compactMap(
            \.self)
        if provenAt != nil { parts.append("proven restorable") }
        return
            "Wrote \(summary.words(schema)) to \(summary.path ?? "standard output") (\(parts.joined(separator: ", ")))."
    }
}
