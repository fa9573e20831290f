extension JSONText {
    /// The same JSON in lines, two spaces for each level. Every number and text stays as it is written.
    static func indented(_ text: String) -> String {
        var output: [UInt8] = []
        var depth = 0, isInText = false, isEscaped = false
        func newLine() { output += [UInt8(ascii: "\n")] + repeatElement(UInt8(ascii: " "), count: 2 * depth) }
        var bytes = text.utf8.makeIterator()
        var next = bytes.next()
        while let byte = next {
            next = bytes.next()
            if isInText {
                output.append(byte)
                if byte == UInt8(ascii: "\""), !isEscaped { isInText = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                output.append(byte)
                isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                output.append(byte)
                guard next != UInt8(ascii: "}"), next != UInt8(ascii: "]") else { continue }
                depth += 1
                newLine()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let last = output.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") {
                    depth = max(0, depth - 1)
                    newLine()
                }
                output.append(byte)
            case UInt8(ascii: ","):
                output.append(byte)
                newLine()
            case UInt8(ascii: ":"): output += [byte, UInt8(ascii: " ")]
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): break
            default: output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
