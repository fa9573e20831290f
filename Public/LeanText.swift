/// Style sheets and scripts as they are sent: without comments, indentation and empty lines, which are a tenth of their weight.
///
/// Only what has whole lines is taken away, and line ends stay, so a script means what it meant.
enum LeanText {
    static func bytes(of source: [UInt8]) -> [UInt8] {
        var lean: [UInt8] = []
        lean.reserveCapacity(source.count)
        var isInComment = false
        for line in source.split(separator: UInt8(ascii: "\n")) {
            let text = line.drop { $0 == UInt8(ascii: " ") }
            if isInComment {
                isInComment = !ends(text)
            } else if begins(text, with: "/*") {
                // What follows a comment in its line is kept, and the comment with it.
                if ends(text) || !contains(text) { isInComment = !ends(text) } else { append(text, to: &lean) }
            } else if !text.isEmpty, !begins(text, with: "//") {
                append(text, to: &lean)
            }
        }
        return lean
    }

    private static func append(_ line: ArraySlice<UInt8>, to lean: inout [UInt8]) {
        lean += line
        lean.append(UInt8(ascii: "\n"))
    }

    private static func begins(_ line: ArraySlice<UInt8>, with mark: String) -> Bool { line.starts(with: mark.utf8) }

    private static func ends(_ line: ArraySlice<UInt8>) -> Bool { line.suffix(2).elementsEqual("*/".utf8) }

    private static func contains(_ line: ArraySlice<UInt8>) -> Bool {
        zip(line, line.dropFirst()).contains { $0 == UInt8(ascii: "*") && $1 == UInt8(ascii: "/") }
    }
}
