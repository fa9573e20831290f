/// A name and a value of a form.
struct FormField: Sendable, Hashable {
    let name: String
    var value: String
}

/// `application/x-www-form-urlencoded`, as browsers write it.
enum FormEncoding {
    static func encode(_ fields: [FormField]) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            append(field.name, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            append(field.value, to: &bytes)
        }
        return bytes
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "*"):
                bytes.append(byte)
            case UInt8(ascii: " "):
                bytes.append(UInt8(ascii: "+"))
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 0xF)])
            }
        }
    }
}
