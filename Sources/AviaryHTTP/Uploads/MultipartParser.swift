/// A parser for a form with one file (`multipart/form-data`, RFC 7578) that reads bytes as they arrive.
///
/// The parser keeps no more of the file than the bytes that could be the beginning of the closing boundary.
///
/// The parser is strict, because it has to agree only with itself: it accepts no bytes before the first part, one
/// name per part, the file as the last part, and no bytes after the end.
struct MultipartParser {
    enum Event: Sendable, Hashable {
        case field(name: String, value: String)
        /// The beginning of a file, whose bytes follow.
        case file(name: String)
        case bytes([UInt8])
        /// The end of a complete form.
        case end
    }

    struct Malformed: Error {}

    private enum State: Hashable {
        /// The position after a boundary. Another part or the end follows.
        case boundary
        case headers
        case field(name: String)
        case file
        case end
    }

    private static let headersLimit = 8 * 1024
    /// The largest size of all fields together, in bytes.
    private static let fieldsLimit = 64 * 1024
    private static let fieldLimit = 200

    private let delimiter: [UInt8]
    private var buffer: [UInt8]
    private var start = 0
    /// The end of the part of the buffer that was searched for the next pattern without finding it.
    private var searched = 0
    /// The number of bytes that were searched so far.
    private(set) var searchedBytes = 0
    private var state: State?
    /// The name of the file as the client sends it; nil before the file.
    private(set) var fileName: String?
    private var hasFile = false
    private var fields = 0
    private var fieldBytes = 0

    /// Creates a parser.
    ///
    /// - Parameter contentType: The value of the request's `Content-Type` header field.
    /// - Throws: ``Malformed`` if the content type names no boundary.
    init(contentType: String) throws(Malformed) {
        guard let boundary = Self.boundary(in: contentType) else { throw Malformed() }
        delimiter = Array("\r\n--".utf8) + boundary
        // With a line end before it, the first boundary looks like all others.
        buffer = [13, 10]
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            searched = max(0, searched - start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next event, or nil if more bytes have to arrive first.
    ///
    /// - Throws: ``Malformed``.
    mutating func next() throws(Malformed) -> Event? {
        switch state {
        case nil: try begin()
        case .boundary: try readBoundaryEnd()
        case .headers: try readHeaders()
        case .field(let name): try readField(name)
        case .file: readFile()
        case .end: try readNothing()
        }
    }

    private mutating func begin() throws(Malformed) -> Event? {
        guard buffer.count - start >= delimiter.count else { return nil }
        guard buffer[start...].starts(with: delimiter) else { throw Malformed() }
        start += delimiter.count
        state = .boundary
        return try next()
    }

    private mutating func readBoundaryEnd() throws(Malformed) -> Event? {
        guard buffer.count - start >= 2 else { return nil }
        let end = buffer[start..<start + 2]
        start += 2
        if end.elementsEqual("--".utf8) {
            state = .end
            return .end
        }
        guard end.elementsEqual([13, 10]), !hasFile else { throw Malformed() }
        state = .headers
        return try next()
    }

    private mutating func readHeaders() throws(Malformed) -> Event? {
        guard let end = position(of: [13, 10, 13, 10]) else {
            guard buffer.count - start <= Self.headersLimit else { throw Malformed() }
            return nil
        }
        guard end - start <= Self.headersLimit else { throw Malformed() }
        let part = try MultipartPart(headers: buffer[start..<end])
        start = end + 4
        if part.isFile {
            hasFile = true
            fileName = part.fileName
            state = .file
            return .file(name: part.name)
        }
        fields += 1
        guard fields <= Self.fieldLimit else { throw Malformed() }
        state = .field(name: part.name)
        return try next()
    }

    private mutating func readField(_ name: String) throws(Malformed) -> Event? {
        guard let end = position(of: delimiter) else {
            guard fieldBytes + buffer.count - start <= Self.fieldsLimit else { throw Malformed() }
            return nil
        }
        fieldBytes += end - start
        guard fieldBytes <= Self.fieldsLimit, let value = String(validating: buffer[start..<end], as: UTF8.self) else {
            throw Malformed()
        }
        start = end + delimiter.count
        state = .boundary
        return .field(name: name, value: value)
    }

    private mutating func readFile() -> Event? {
        if let end = position(of: delimiter) {
            let bytes = Array(buffer[start..<end])
            start = end + delimiter.count
            state = .boundary
            return .bytes(bytes)
        }
        // The last bytes may be the beginning of the closing boundary.
        let count = buffer.count - start - (delimiter.count - 1)
        guard count > 0 else { return nil }
        defer { start += count }
        return .bytes(Array(buffer[start..<start + count]))
    }

    /// Accepts a line end after the form and rejects everything else. Browsers end a form with a line end.
    private func readNothing() throws(Malformed) -> Event? {
        guard [13, 10].starts(with: buffer[start...]) else { throw Malformed() }
        return nil
    }

    /// Returns the position of a pattern. Bytes that were searched before are not searched again, however small the
    /// parts are in which they arrive.
    private mutating func position(of pattern: [UInt8]) -> Int? {
        let last = buffer.count - pattern.count
        let begin = max(start, searched)
        guard begin <= last, let first = pattern.first else { return nil }
        let found = buffer.withUnsafeBufferPointer { bytes -> Int? in
            var index = begin
            while index <= last {
                if bytes[index] == first, bytes[index..<index + pattern.count].elementsEqual(pattern) { return index }
                index += 1
            }
            return nil
        }
        searchedBytes += (found ?? last) - begin + 1
        // The parser searches the bytes after the match for another pattern.
        searched = found == nil ? last + 1 : 0
        return found
    }

    /// Returns the boundary, which RFC 2046, section 5.1.1, limits to 1 to 70 characters of a small set.
    private static func boundary(in contentType: String) -> [UInt8]? {
        let parts = contentType.split(separator: ";")
        guard parts.first?.trimmed.lowercased() == "multipart/form-data" else { return nil }
        let values = parts.dropFirst().compactMap { part -> Substring? in
            let part = part.trimmed
            return part.lowercased().hasPrefix("boundary=") ? part.dropFirst("boundary=".count) : nil
        }
        guard values.count == 1, var value = values.first else { return nil }
        if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
        let isPlain = value.utf8.allSatisfy { byte in
            (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
                || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
                || "'()+_,-./:=?".utf8.contains(byte)
        }
        return isPlain && (1...70).contains(value.utf8.count) ? Array(value.utf8) : nil
    }
}

extension Substring {
    var trimmed: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

/// The header of one part of a form with a file.
struct MultipartPart: Hashable {
    let name: String
    /// The name of the file as the client sends it, for messages only; nil for a field that is not for a file.
    let fileName: String?
    /// Indicates whether the field is a field for a file.
    var isFile: Bool { fileName != nil }

    /// Creates a part from its header.
    ///
    /// - Parameter headers: The header without the empty line after it.
    init(headers: ArraySlice<UInt8>) throws(MultipartParser.Malformed) {
        guard let text = String(validating: headers, as: UTF8.self) else { throw MultipartParser.Malformed() }
        var disposition: Substring?
        for line in text.split(separator: "\r\n", omittingEmptySubsequences: false) {
            guard let colon = line.firstIndex(of: ":") else { throw MultipartParser.Malformed() }
            guard line[..<colon].lowercased() == "content-disposition" else { continue }
            guard disposition == nil else { throw MultipartParser.Malformed() }
            disposition = line[line.index(after: colon)...].trimmed
        }
        guard let disposition, let parameters = Self.parameters(of: disposition), let name = parameters["name"] else {
            throw MultipartParser.Malformed()
        }
        self.name = name
        fileName = parameters["filename"]
    }

    /// Returns the parameters, or nil if the part is not a form field or repeats a parameter.
    private static func parameters(of disposition: Substring) -> [String: String]? {
        let kind = "form-data"
        guard disposition.lowercased().hasPrefix(kind) else { return nil }
        var rest = disposition.dropFirst(kind.count)
        var parameters: [String: String] = [:]
        while !rest.trimmed.isEmpty {
            rest = rest.trimmed
            guard rest.first == ";", let equals = rest.firstIndex(of: "=") else { return nil }
            let name = rest[rest.index(after: rest.startIndex)..<equals].trimmed.lowercased()
            rest = rest[rest.index(after: equals)...]
            guard let value = takeValue(&rest), parameters.updateValue(value, forKey: name) == nil else { return nil }
        }
        return parameters
    }

    private static func takeValue(_ rest: inout Substring) -> String? {
        guard rest.first == "\"" else {
            let end = rest.firstIndex(of: ";") ?? rest.endIndex
            defer { rest = rest[end...] }
            return String(rest[..<end].trimmed)
        }
        rest.removeFirst()
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return value
            // Browsers encode a quote as `%22`; other programs escape it with a backslash.
            case "\\" where rest.first == "\"" || rest.first == "\\": value.append(rest.removeFirst())
            default: value.append(character)
            }
        }
        return nil
    }
}
