import Foundation

// An array is written as its elements, one on each line, where lines can tell them apart, and else as JSON.
extension PropertyType {
    /// The JSON of an array of this type, from lines or from JSON.
    func array(_ text: String) throws(UnreadableText) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.hasPrefix("[") || !isWrittenInLines { return trimmed }
        var elements: [String] = []
        for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
            do {
                elements.append(json(try parse(line.trimmingCharacters(in: .whitespaces))))
            } catch {
                throw UnreadableText("Line \(elements.count + 1): \(error.message)")
            }
        }
        return "[" + elements.joined(separator: ",") + "]"
    }

    /// The elements in lines; nil where these could be read as something else.
    func lines(_ elements: [FieldValue]) -> String? {
        guard isWrittenInLines else { return nil }
        var lines: [String] = []
        for element in elements {
            let line = formText(of: element)
            guard !element.isNull, !line.isBlank, line == line.trimmingCharacters(in: .whitespaces),
                !line.contains(where: \.isNewline), !lines.isEmpty || !line.hasPrefix("[")
            else { return nil }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }

    /// A Boolean value that indicates whether a value of this type is written on a line of its own.
    package var isWrittenInLines: Bool {
        switch self {
        case .json, .array, .data, .toMany: false
        default: true
        }
    }

    private func json(_ element: FieldValue) -> String {
        switch element {
        case .integer, .real: formText(of: element)
        // A text always has a form as JSON.
        case .text(let text): (try? JSONText.encode(text)) ?? "null"
        case .null, .blob: "null"
        }
    }
}
