import AviaryDomain
import Foundation
import NIOCore

/// What the store's socket answers.
enum StoreResponse: Sendable {
    case stored(Receipt)
    case discarded
    case replaced(commit: Int64)
    /// Writes are held, or released.
    case held
    case status(StoreStatus)
    case metrics(Data)
    /// Refused; nothing was done.
    case refused(StoreError)
}

extension StoreResponse {
    private enum Tag: UInt8 {
        case stored = 1, discarded, replaced, status, metrics, refused, held
    }

    // Receipts are what almost all answers are. A status and a refusal carry much, and are rare: as JSON.
    func write(to buffer: inout ByteBuffer) {
        switch self {
        case .stored(let receipt):
            buffer.writeInteger(Tag.stored.rawValue)
            buffer.write(wire: receipt.changeSet)
            buffer.writeInteger(receipt.commit)
            buffer.write(wire: receipt.isRepeat)
        case .discarded:
            buffer.writeInteger(Tag.discarded.rawValue)
        case .replaced(let commit):
            buffer.writeInteger(Tag.replaced.rawValue)
            buffer.writeInteger(commit)
        case .held:
            buffer.writeInteger(Tag.held.rawValue)
        case .status(let status):
            Self.write(.status, status, to: &buffer)
        case .metrics(let sums):
            buffer.writeInteger(Tag.metrics.rawValue)
            buffer.writeBytes(sums)
        case .refused(let error):
            Self.write(.refused, error, to: &buffer)
        }
    }

    private static func write(_ tag: Tag, _ value: some Encodable, to buffer: inout ByteBuffer) {
        do {
            let json = try JSONEncoder().encode(value)
            buffer.writeInteger(tag.rawValue)
            buffer.writeBytes(json)
        } catch {
            // A number that is no JSON, in a record that a conflict shows. What the client needs to know is that it was refused.
            write(.refused, StoreError.malformed("the answer cannot be encoded."), to: &buffer)
        }
    }

    init(_ body: ByteBuffer) throws {
        var reader = WireReader(body)
        switch Tag(rawValue: try reader.integer()) {
        case .stored:
            self = .stored(
                Receipt(changeSet: try reader.uuid(), commit: try reader.integer(), isRepeat: try reader.boolean()))
        case .discarded: self = .discarded
        case .held: self = .held
        case .replaced: self = .replaced(commit: try reader.integer())
        case .status:
            self = .status(try JSONDecoder().decode(StoreStatus.self, from: Data(reader.rest().readableBytesView)))
        case .metrics: self = .metrics(Data(reader.rest().readableBytesView))
        case .refused:
            self = .refused(try JSONDecoder().decode(StoreError.self, from: Data(reader.rest().readableBytesView)))
        case nil: throw WireReader.Malformed()
        }
        try reader.finish()
    }
}
