/// The pattern of an own route's path, checked.
struct RoutePath: Sendable {
    private enum Segment: Hashable {
        case literal(String)
        case parameter(String)
    }

    /// First segments that are the admin's own, now or by its contract.
    private static let reserved: Set<String> = ["admin", "assets", "login", "logout", "healthz", "readyz", "metrics"]

    private let segments: [Segment]

    /// Whether a request's path may belong to an own route.
    static func isOwn(_ path: String) -> Bool {
        // Escaped, it could be one of the reserved names to whoever unescapes it.
        guard let first = path.split(separator: "/", omittingEmptySubsequences: true).first,
            first.utf8.allSatisfy(isUnreserved)
        else { return false }
        return !reserved.contains(String(first))
    }

    /// - Throws: ``RouteError``.
    init(_ path: String) throws(RouteError) {
        guard path.hasPrefix("/") else { throw RouteError(path: path, "does not begin with a slash.") }
        var segments: [Segment] = []
        for text in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            segments.append(try Self.segment(String(text), of: path))
        }
        guard case .literal(let first)? = segments.first else {
            throw RouteError(
                path: path, "begins with a parameter, which would take the admin's own pages. Begin with a name.")
        }
        guard !Self.reserved.contains(first) else {
            throw RouteError(
                path: path, "is below /\(first), which the admin has for itself. Choose another first name.")
        }
        let parameters = segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
        guard Set(parameters).count == parameters.count else {
            throw RouteError(path: path, "names a parameter twice. Give each its own name.")
        }
        self.segments = segments
    }

    /// The path with its parameters' names left out: two routes of one shape would take the same requests.
    var shape: String {
        segments.map { if case .literal(let text) = $0 { "/\(text)" } else { "/{}" } }.joined()
    }

    private static func segment(_ text: String, of path: String) throws(RouteError) -> Segment {
        if text.hasPrefix("{"), text.hasSuffix("}") {
            let name = String(text.dropFirst().dropLast())
            guard !name.isEmpty, name.utf8.allSatisfy(isNameByte) else {
                throw RouteError(path: path, "has a parameter without a name of letters and digits, such as {id}.")
            }
            return .parameter(name)
        }
        guard !text.isEmpty, text != ".", text != "..", text.utf8.allSatisfy(isUnreserved) else {
            throw RouteError(
                path: path, "has a segment that is empty or needs escaping. Use letters, digits and -._~ only.")
        }
        return .literal(text)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// RFC 3986, section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        isNameByte(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
    }
}
