import Crypto
import Foundation

/// A password's hash as an account keeps it, in the PHC string format: `$scrypt$ln=15,r=8,p=3$SALT$HASH`.
struct ScryptHash: Sendable, Hashable, CustomStringConvertible {
    static let saltLength = 16
    static let length = 32

    let parameters: ScryptParameters
    let salt: [UInt8]
    let hash: [UInt8]

    /// With a salt of its own; nil when there is not enough memory.
    init?(of password: String, parameters: ScryptParameters) {
        let salt = SymmetricKey(size: .init(bitCount: Self.saltLength * 8)).withUnsafeBytes { [UInt8]($0) }
        guard let hash = parameters.derive(from: password, salt: salt, count: Self.length) else { return nil }
        self.parameters = parameters
        self.salt = salt
        self.hash = hash
    }

    /// Nil for whatever is no such text, or asks for more than ``ScryptParameters/areAcceptable`` allows.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
        let values = parts[2].split(separator: ",", omittingEmptySubsequences: false)
        guard values.count == 3, let logarithm = Self.number(values[0], named: "ln"),
            let blockSize = Self.number(values[1], named: "r"), let parallelism = Self.number(values[2], named: "p"),
            let salt = Self.decode(parts[3]), (8...64).contains(salt.count),
            let hash = Self.decode(parts[4]), (16...64).contains(hash.count)
        else { return nil }
        parameters = ScryptParameters(logarithm: logarithm, blockSize: blockSize, parallelism: parallelism)
        guard parameters.areAcceptable else { return nil }
        self.salt = salt
        self.hash = hash
    }

    var description: String {
        "$scrypt$ln=\(parameters.logarithm),r=\(parameters.blockSize),p=\(parameters.parallelism)"
            + "$\(Self.encode(salt))$\(Self.encode(hash))"
    }

    /// Whether one that is made today would be as strong.
    func isAsStrong(as parameters: ScryptParameters) -> Bool {
        self.parameters == parameters && salt.count >= Self.saltLength && hash.count >= Self.length
    }

    /// Nil when there is not enough memory. The comparison takes the same time wherever the two differ.
    func isHash(
        of password: String, derivation: ScryptParameters.Derivation = ScryptParameters.derivation
    ) -> Bool? {
        derivation(parameters, password, salt, hash.count).map {
            SymmetricKey(data: $0) == SymmetricKey(data: hash)
        }
    }

    private static func number(_ text: Substring, named name: String) -> Int? {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == name, let number = Int(parts[1]), number > 0, "\(number)" == parts[1] else {
            return nil
        }
        return number
    }

    /// Base64 without padding: the format's own.
    private static func encode(_ bytes: [UInt8]) -> String {
        String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text + padding), encode([UInt8](data)) == text else { return nil }
        return [UInt8](data)
    }
}
