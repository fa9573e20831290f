import Crypto
import Foundation

/// Time-based one-time passwords: RFC 6238 with SHA-1, six digits and steps of 30 seconds, which is what every
/// authenticator knows. (SHA-1's weakness, collisions, is none here.)
enum OneTimeCode {
    static let digits = 6
    static let stepLength = 30

    /// The number of the step that the time lies in.
    static func step(at time: Date) -> Int {
        Int((time.timeIntervalSince1970 / Double(stepLength)).rounded(.down))
    }

    /// Its digits, as ASCII (RFC 4226, section 5.3).
    static func code(of secret: [UInt8], step: Int) -> [UInt8] {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let code = [UInt8](HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
        let offset = Int(code[code.count - 1] & 0x0F)
        var number = code[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        var text = [UInt8](repeating: UInt8(ascii: "0"), count: digits)
        for index in text.indices.reversed() {
            text[index] += UInt8(number % 10)
            number /= 10
        }
        return text
    }
}
