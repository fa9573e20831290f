package import AviaryDomain
import Foundation
import NIOCore

/// A request to the store's socket.
enum StoreRequest: Sendable {
    case write(WriteRequest)
    /// An older store, which would keep nothing of what it replaces, rejects it.
    case replaceContents(path: String, kept: String, holder: UUID)
    case acquireWriteLease(holder: UUID), releaseWriteLease(holder: UUID)
    case status
    /// A worker's measurements. Only the metrics exchange reads them.
    case metrics(Data)
    /// A check of the file after a read of the client has met damage. An older store rejects it.
    case checkFile
    /// A stop of a large delete or undo before its commit. An older store rejects it.
    case stopLongChange(UUID)
}

extension StoreRequest {
    private enum Tag: UInt8 {
        // The number 4 was a replacement that kept nothing.
        case submit = 1, undo, discard, status = 5, metrics, acquireWriteLease, releaseWriteLease, checkFile,
            stopLongChange, submitBasedOn, replaceContents
    }

    func write(to buffer: inout ByteBuffer) {
        switch self {
        case .write(.submit(let changeSet)):
            // A store from before the deploy cannot check a basis. It rejects such a change set as malformed, stores
            // nothing, and the form keeps its input.
            buffer.writeInteger((changeSet.basis == nil ? Tag.submit : .submitBasedOn).rawValue)
            if let basis = changeSet.basis { buffer.write(wire: basis) }
            buffer.write(wire: changeSet)
        case .write(.undo(let undo)):
            buffer.writeInteger(Tag.undo.rawValue)
            buffer.write(wire: undo.id)
            buffer.writeInteger(undo.commit)
            buffer.write(wire: undo.author)
            // A store from before the deploy knows an undo without these properties, as nearly all are. It rejects
            // one with them as malformed.
            for (model, properties) in (undo.leaving ?? [:]).sorted(by: { $0.key < $1.key }) {
                buffer.write(wire: model)
                buffer.writeInteger(UInt32(properties.count))
                for property in properties.sorted() { buffer.write(wire: property) }
            }
        case .write(.discard(let draft)):
            buffer.writeInteger(Tag.discard.rawValue)
            buffer.write(wire: draft)
        case .replaceContents(let path, let kept, let holder):
            buffer.writeInteger(Tag.replaceContents.rawValue)
            buffer.write(wire: holder)
            buffer.write(wire: path)
            buffer.write(wire: kept)
        case .acquireWriteLease(let holder):
            buffer.writeInteger(Tag.acquireWriteLease.rawValue)
            buffer.write(wire: holder)
        case .releaseWriteLease(let holder):
            buffer.writeInteger(Tag.releaseWriteLease.rawValue)
            buffer.write(wire: holder)
        case .status:
            buffer.writeInteger(Tag.status.rawValue)
        case .metrics(let report):
            buffer.writeInteger(Tag.metrics.rawValue)
            buffer.writeBytes(report)
        case .checkFile:
            buffer.writeInteger(Tag.checkFile.rawValue)
        case .stopLongChange(let changeSet):
            buffer.writeInteger(Tag.stopLongChange.rawValue)
            buffer.write(wire: changeSet)
        }
    }

    init(_ body: ByteBuffer) throws(WireReader.Malformed) {
        var reader = WireReader(body)
        switch Tag(rawValue: try reader.integer()) {
        case .submit: self = .write(.submit(try reader.changeSet()))
        case .submitBasedOn:
            let basis = try reader.basis()
            self = .write(.submit(try reader.changeSet(basis: basis)))
        case .undo:
            let id = try reader.uuid(), commit: Int64 = try reader.integer(), author = try reader.text()
            var leaving: [String: Set<String>] = [:]
            while !reader.isAtEnd {
                let model = try reader.text()
                for _ in 0..<(try reader.count()) { leaving[model, default: []].insert(try reader.text()) }
            }
            self = .write(.undo(Undo(id: id, commit: commit, author: author, leaving: leaving)))
        case .discard: self = .write(.discard(draft: try reader.uuid()))
        case .replaceContents:
            let holder = try reader.uuid()
            self = .replaceContents(path: try reader.text(), kept: try reader.text(), holder: holder)
        case .acquireWriteLease: self = .acquireWriteLease(holder: try reader.uuid())
        case .releaseWriteLease: self = .releaseWriteLease(holder: try reader.uuid())
        case .status: self = .status
        case .metrics: self = .metrics(Data(reader.rest().readableBytesView))
        case .checkFile: self = .checkFile
        case .stopLongChange: self = .stopLongChange(try reader.uuid())
        case nil: throw WireReader.Malformed()
        }
        try reader.finish()
    }
}

/// An answer from the store's socket.
enum StoreResponse: Sendable {
    case stored(Receipt)
    case discarded
    case replaced(commit: Int64)
    /// The confirmation that writes are held, or released.
    case held
    case status(StoreStatus)
    case metrics(Data)
    /// The refusal of a request; the store changed nothing.
    case refused(StoreError)
}

extension StoreResponse {
    private enum Tag: UInt8 {
        case stored = 1, discarded, replaced, status, metrics, refused, held
    }

    // Almost all answers are receipts. A status and a refusal are large and rare, so they are written as JSON.
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
            // A conflict's record contains a number that JSON cannot represent. The client only needs to know that
            // the store rejected the request.
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

/// The state of the store, as the store reports it.
package struct StoreStatus: Sendable, Hashable, Codable {
    package let pid: Int32
    /// The number of change sets stored since this process started.
    package let commits: Int
    /// The number of transactions that stored them.
    package let batches: Int
    /// The number of callers that wait for a commit now.
    package let waiting: Int
    /// The number of the last commit on disk.
    package let lastCommit: Int64
    /// The size of the write-ahead log, in pages.
    package let logPages: Int
    /// The result of the checks of the file so far.
    package let fileCheck: FileCheck
    /// The store's measurements; nil from a store process of an earlier version.
    package let measures: StoreMetrics?
    /// The progress of the large delete or undo under way; nil if there is none, and from a store process of an earlier
    /// version.
    package let longChange: LongChangeStatus?

    package init(
        pid: Int32, commits: Int, batches: Int, waiting: Int, lastCommit: Int64, logPages: Int = 0,
        fileCheck: FileCheck = .notNeeded, measures: StoreMetrics? = nil,
        longChange: LongChangeStatus? = nil
    ) {
        self.pid = pid
        self.commits = commits
        self.batches = batches
        self.waiting = waiting
        self.lastCommit = lastCommit
        self.logPages = logPages
        self.fileCheck = fileCheck
        self.measures = measures
        self.longChange = longChange
    }
}
