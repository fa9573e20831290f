import AviaryDomain
import Foundation
import NIOCore

/// What the store's socket is asked.
enum StoreRequest: Sendable {
    case submit(ChangeSet)
    case undo(Undo)
    case discard(draft: UUID)
    case replaceContents(path: String)
    case status
    /// What a worker recorded; only the metrics' exchange reads it.
    case metrics(Data)
}

extension StoreRequest {
    private enum Tag: UInt8 {
        case submit = 1, undo, discard, replaceContents, status, metrics
    }

    func write(to buffer: inout ByteBuffer) {
        switch self {
        case .submit(let changeSet):
            buffer.writeInteger(Tag.submit.rawValue)
            buffer.write(wire: changeSet)
        case .undo(let undo):
            buffer.writeInteger(Tag.undo.rawValue)
            buffer.write(wire: undo.id)
            buffer.writeInteger(undo.commit)
            buffer.write(wire: undo.author)
        case .discard(let draft):
            buffer.writeInteger(Tag.discard.rawValue)
            buffer.write(wire: draft)
        case .replaceContents(let path):
            buffer.writeInteger(Tag.replaceContents.rawValue)
            buffer.write(wire: path)
        case .status:
            buffer.writeInteger(Tag.status.rawValue)
        case .metrics(let report):
            buffer.writeInteger(Tag.metrics.rawValue)
            buffer.writeBytes(report)
        }
    }

    init(_ body: ByteBuffer) throws(WireReader.Malformed) {
        var reader = WireReader(body)
        switch Tag(rawValue: try reader.integer()) {
        case .submit: self = .submit(try reader.changeSet())
        case .undo: self = .undo(Undo(id: try reader.uuid(), commit: try reader.integer(), author: try reader.text()))
        case .discard: self = .discard(draft: try reader.uuid())
        case .replaceContents: self = .replaceContents(path: try reader.text())
        case .status: self = .status
        case .metrics: self = .metrics(Data(reader.rest().readableBytesView))
        case nil: throw WireReader.Malformed()
        }
        try reader.finish()
    }
}
