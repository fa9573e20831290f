/// Turns `&amp;` and its kind back into the characters that they stand for.
enum CharacterReferences {
    private static let named: [Substring: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]
    private static let longest = 10

    static func resolve(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "&")) else { return text }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let ampersand = rest.firstIndex(of: "&") {
            result.append(contentsOf: rest[..<ampersand])
            rest = rest[ampersand...]
            let name = rest.dropFirst().prefix(longest).prefix { $0 != ";" && $0 != "&" }
            if name.endIndex < rest.endIndex, rest[name.endIndex] == ";", let scalar = scalar(Substring(name)) {
                result.append(scalar)
                rest = rest[name.endIndex...].dropFirst()
            } else {
                result.append("&")
                rest = rest.dropFirst()
            }
        }
        result.append(contentsOf: rest)
        return String(result)
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        if let scalar = named[name] { return scalar }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let code =
            digits.first == "x" || digits.first == "X"
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
        return code.flatMap(Unicode.Scalar.init)
    }
}
