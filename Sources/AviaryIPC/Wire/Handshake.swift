import AviaryDomain
import NIOCore

/// The identity of a client of the store's socket.
package struct ClientIdentity: Sendable, Hashable {
    package enum Kind: UInt8, Sendable {
        /// A worker. It serves the admin, and sends the contents of forms.
        case worker = 1
        /// The user's own program.
        case app
        /// A command of the command line, such as an import.
        case command
    }

    package let kind: Kind
    package let pid: Int32
    /// The schema, as in ``Schema/summary``.
    ///
    /// It is empty when the client reads and writes no records, or does not know them.
    package let schema: [String]

    package init(kind: Kind, pid: Int32, schema: [String]) {
        self.kind = kind
        self.pid = pid
        self.schema = schema
    }
}

extension ClientIdentity {
    func write(to buffer: inout ByteBuffer) {
        buffer.writeInteger(kind.rawValue)
        buffer.writeInteger(pid)
        buffer.writeInteger(UInt32(schema.count))
        for line in schema { buffer.write(wire: line) }
    }

    init(_ body: ByteBuffer) throws(WireReader.Malformed) {
        var reader = WireReader(body)
        guard let kind = Kind(rawValue: try reader.integer()) else { throw WireReader.Malformed() }
        let pid = try reader.integer(Int32.self)
        var lines: [String] = []
        for _ in 0..<(try reader.count()) { lines.append(try reader.text()) }
        try reader.finish()
        self.init(kind: kind, pid: pid, schema: lines)
    }
}

/// The versions of the protocol that one side of the store's socket speaks.
///
/// A greeting carries them in place of a request's id, which a greeting does not need. A process from before
/// version ranges ignores the field and sends zero. The form of a greeting never changes, so that sides of any
/// versions can read it.
package struct ProtocolVersions: Sendable, Hashable {
    package let lowest: UInt8
    package let highest: UInt8

    /// The versions of this program.
    package static let own = ProtocolVersions(2...3)
    /// The version since which the store tells that a request is postponed.
    static let firstWithPostponement: UInt8 = 3
    /// The versions of a program that names none.
    private static let unnamed = ProtocolVersions(2...2)

    package init(_ range: ClosedRange<UInt8>) {
        lowest = range.lowerBound
        highest = range.upperBound
    }

    /// Returns the highest version that both sides speak.
    ///
    /// - Throws: ``ProtocolMismatch`` when there is none.
    static func agreed(store: Self, client: Self) throws(ProtocolMismatch) -> UInt8 {
        let version = min(store.highest, client.highest)
        guard version >= max(store.lowest, client.lowest) else { throw ProtocolMismatch(store: store, client: client) }
        return version
    }

    /// The versions in the words of an error: `version 2`, `versions 2 to 4`.
    fileprivate var words: String {
        lowest == highest ? "version \(lowest)" : "versions \(lowest) to \(highest)"
    }
}

extension ProtocolVersions {
    /// The number that represents the versions in a greeting.
    var greeting: UInt64 { UInt64(lowest) << 8 | UInt64(highest) }

    /// Creates versions from a greeting's number, or returns nil when the number represents none.
    init?(greeting number: UInt64) {
        guard number != 0 else {
            self = .unnamed
            return
        }
        guard let lowest = UInt8(exactly: number >> 8), lowest > 0 else { return nil }
        let highest = UInt8(truncatingIfNeeded: number)
        guard lowest <= highest else { return nil }
        self.init(lowest...highest)
    }

    /// Returns the version that the store's answer to a greeting names, or nil when the number is not a version.
    static func answered(_ number: UInt64) -> UInt8? {
        number == 0 ? unnamed.highest : UInt8(exactly: number)
    }
}

/// An error for two sides of the store's socket that have no version of the protocol in common.
package struct ProtocolMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    let store: ProtocolVersions
    let client: ProtocolVersions

    var isStoreOlder: Bool { store.highest < client.highest }

    /// A sentence that has the store as its subject and says what to do.
    package var description: String {
        "it speaks \(store.words) of the protocol and this process \(client.words). "
            + (isStoreOlder
                ? "The store is older. Restart the server with the newer program."
                : "This process is older. Start it again with the program that the server runs.")
    }
}
