import AviaryDomain
import Foundation
import NIOCore

/// What the store's socket is asked.
enum StoreRequest: Sendable {
    case submit(ChangeSet)
    case undo(Undo)
    case discard(draft: UUID)
    case replaceContents(path: String, holder: UUID)
    case holdWrites(holder: UUID), releaseWrites(holder: UUID)
    case status
    /// What a worker recorded; only the metrics' exchange reads it.
    case metrics(Data)
    /// Asks for a check of the file, in which a read of the client has met damage. An older store refuses it.
    case checkFile
}

extension StoreRequest {
    private enum Tag: UInt8 {
        case submit = 1, undo, discard, replaceContents, status, metrics, holdWrites, releaseWrites, checkFile
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
            // A store of before the deploy knows an undo without it, as nearly all are; one with it, it refuses as malformed.
            for (model, properties) in (undo.leaving ?? [:]).sorted(by: { $0.key < $1.key }) {
                buffer.write(wire: model)
                buffer.writeInteger(UInt32(properties.count))
                for property in properties.sorted() { buffer.write(wire: property) }
            }
        case .discard(let draft):
            buffer.writeInteger(Tag.discard.rawValue)
            buffer.write(wire: draft)
        case .replaceContents(let path, let holder):
            buffer.writeInteger(Tag.replaceContents.rawValue)
            buffer.write(wire: holder)
            buffer.write(wire: path)
        case .holdWrites(let holder):
            buffer.writeInteger(Tag.holdWrites.rawValue)
            buffer.write(wire: holder)
        case .releaseWrites(let holder):
            buffer.writeInteger(Tag.releaseWrites.rawValue)
            buffer.write(wire: holder)
        case .status:
            buffer.writeInteger(Tag.status.rawValue)
        case .metrics(let report):
            buffer.writeInteger(Tag.metrics.rawValue)
            buffer.writeBytes(report)
        case .checkFile:
            buffer.writeInteger(Tag.checkFile.rawValue)
        }
    }

    init(_ body: ByteBuffer) throws(WireReader.Malformed) {
        var reader = WireReader(body)
        switch Tag(rawValue: try reader.integer()) {
        case .submit: self = .submit(try reader.changeSet())
        case .undo:
            let id = try reader.uuid(), commit: Int64 = try reader.integer(), author = try reader.text()
            var leaving: [String: Set<String>] = [:]
            while !reader.isAtEnd {
                let model = try reader.text()
                for _ in 0..<(try reader.count()) { leaving[model, default: []].insert(try reader.text()) }
            }
            self = .undo(Undo(id: id, commit: commit, author: author, leaving: leaving))
        case .discard: self = .discard(draft: try reader.uuid())
        case .replaceContents:
            let holder = try reader.uuid()
            self = .replaceContents(path: try reader.text(), holder: holder)
        case .holdWrites: self = .holdWrites(holder: try reader.uuid())
        case .releaseWrites: self = .releaseWrites(holder: try reader.uuid())
        case .status: self = .status
        case .metrics: self = .metrics(Data(reader.rest().readableBytesView))
        case .checkFile: self = .checkFile
        case nil: throw WireReader.Malformed()
        }
        try reader.finish()
    }
}
