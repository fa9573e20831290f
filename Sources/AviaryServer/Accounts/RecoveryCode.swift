import AviaryDomain
import Crypto
import Foundation

/// What lets one sign in once without the second factor: 80 random bits, as four groups of four characters.
struct RecoveryCode: Sendable, Hashable {
    /// How many an account gets.
    static let count = 10
    private static let length = 10
    private static let groupLength = 4

    private let bytes: [UInt8]

    init() {
        bytes = SymmetricKey(size: .init(bitCount: Self.length * 8)).withUnsafeBytes { [UInt8]($0) }
    }

    /// As people type it: in capitals or not, with hyphens and spaces or without. Nil for what is no such code.
    init?(_ typed: String) {
        guard typed.utf8.count <= 64 else { return nil }
        let text = typed.uppercased().filter { $0 != "-" && !$0.isWhitespace }
        guard let bytes = Base32.decode(text), bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// `ABCD-EFGH-IJKL-MNOP`.
    var text: String {
        let characters = Array(Base32.encode(bytes))
        return stride(from: 0, to: characters.count, by: Self.groupLength)
            .map { String(characters[$0..<min($0 + Self.groupLength, characters.count)]) }.joined(separator: "-")
    }

    /// What is stored in its place. Nobody guesses 80 bits, so a plain hash does, and no key has to be kept for it.
    var hash: String {
        Base64URL.encode([UInt8](SHA256.hash(data: Data("aviary recovery code".utf8) + bytes)))
    }
}
