import AviaryDomain
import NIOCore

/// Who a client of the store's socket is.
package struct ClientIdentity: Sendable, Hashable {
    package enum Kind: UInt8, Sendable {
        /// Serves the admin: sends what a form holds.
        case worker = 1
        /// The user's own program.
        case app
        /// One of the command line's, such as an import.
        case command
    }

    package let kind: Kind
    package let pid: Int32
    /// As ``Schema/summary``; empty when it reads and writes no records, or does not know.
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
