import Foundation

/// The cookies of one browser and one server.
struct CookieJar: Sendable, Codable {
    private var values: [String: String] = [:]

    /// Takes in one `Set-Cookie` header. Of its attributes only those count that end a cookie.
    mutating func store(_ header: String) {
        let parts = header.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return }
        let name = pair[..<equals].trimmingCharacters(in: .whitespaces)
        let isOver = parts.dropFirst().contains { attribute in
            let words = attribute.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
            guard words.count == 2, words[0].lowercased() == "max-age", let age = Int(words[1]) else { return false }
            return age <= 0
        }
        values[name] = isOver ? nil : pair[pair.index(after: equals)...].trimmingCharacters(in: .whitespaces)
    }

    /// What a request carries; nil when there are none.
    var header: String? {
        values.isEmpty ? nil : values.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }
}
