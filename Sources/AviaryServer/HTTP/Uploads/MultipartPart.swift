/// What stands before a part of a form with a file.
struct MultipartPart: Hashable {
    let name: String
    /// Whether it was a field for a file; whatever the file is called is of no use here.
    let isFile: Bool

    /// - Parameter headers: Without the empty line behind them.
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
        isFile = parameters["filename"] != nil
    }

    /// Nil when it is no field of a form, or has a parameter twice.
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
            // Browsers write a quote as %22, other programs so.
            case "\\" where rest.first == "\"" || rest.first == "\\": value.append(rest.removeFirst())
            default: value.append(character)
            }
        }
        return nil
    }
}
