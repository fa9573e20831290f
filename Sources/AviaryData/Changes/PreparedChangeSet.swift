import AviaryDomain
import Crypto
import Foundation

/// A change set that is prepared for the store.
///
/// All work that needs no file is done before it enters the writer's queue.
struct PreparedChangeSet: Sendable {
    let id: UUID
    let idText: String
    let fingerprint: [UInt8]
    let author: String
    /// The number of the commit that it undoes.
    let undoes: Int64?
    /// The steps, or the error that rejects them.
    ///
    /// The store looks for a receipt first, so the error is thrown only if there is none.
    let steps: Result<[PreparedChange], StoreError>
    let cascadeLimit: Int?
    /// The reads on which it relies; nil for none.
    let basis: ReadBasis?
    /// The approximate number of bytes that it occupies in memory.
    let bytes: Int

    init(_ changeSet: ChangeSet, tables: ModelTables) {
        id = changeSet.id
        idText = changeSet.id.canonicalText
        fingerprint = changeSet.fingerprint
        author = changeSet.author
        undoes = nil
        cascadeLimit = changeSet.cascadeLimit
        basis = changeSet.basis
        bytes = changeSet.changes.reduce(100) { $0 + $1.bytes }
        steps = Result { () throws(StoreError) in try PreparedChange.steps(of: changeSet.changes, tables: tables) }
    }

    /// Creates a submission from the inverse of a commit.
    init(_ undo: Undo, inverse: [PreparedChange]) {
        id = undo.id
        idText = undo.id.canonicalText
        fingerprint = undo.fingerprint
        author = undo.author
        undoes = undo.commit
        cascadeLimit = nil
        basis = nil
        bytes = 0
        steps = .success(inverse)
    }

    /// The number of records that it requests to change, as a measure of the work.
    var size: Int {
        switch steps {
        case .success(let steps): steps.reduce(0) { $0 + $1.size }
        case .failure: 1
        }
    }
}

extension Change {
    fileprivate var bytes: Int {
        switch self {
        case .insert(_, _, let values), .update(_, _, _, let values): values.values.reduce(100) { $0 + $1.bytes }
        case .delete, .link, .unlink: 100
        }
    }
}

extension FieldValue {
    fileprivate var bytes: Int {
        switch self {
        case .text(let text): 32 + text.utf8.count
        case .blob(let blob): 32 + blob.count
        case .null, .integer, .real: 32
        }
    }
}

extension ChangeSet {
    /// The SHA-256 hash of the requested changes.
    ///
    /// The author and the cascade limit are not part of it.
    var fingerprint: [UInt8] {
        var encoder = CanonicalEncoder()
        for change in asked ?? changes {
            encoder.append(change)
        }
        return encoder.finish()
    }
}

extension Undo {
    /// The fingerprint of an undo. It differs from the fingerprint of every change set.
    var fingerprint: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.append(undone: commit)
        return encoder.finish()
    }
}

/// An encoder that writes changes as bytes, of which it computes the hash.
///
/// The length precedes each text and list, so that two different contents are never encoded alike.
private struct CanonicalEncoder {
    /// The number of bytes from which they are hashed, so that those of a large change set are never all in memory.
    private static let blockSize = 32 << 10

    private var bytes: [UInt8] = []
    private var hash = SHA256()

    init() {
        bytes.reserveCapacity(512)
    }

    /// Returns the SHA-256 hash of everything that was appended.
    mutating func finish() -> [UInt8] {
        hash.update(data: bytes)
        return Array(hash.finalize())
    }

    mutating func append(_ change: Change) {
        if bytes.count >= Self.blockSize {
            hash.update(data: bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        switch change {
        case .insert(let model, let id, let values):
            append(tag: 1)
            append(model)
            append(id)
            append(values)
        case .update(let model, let id, let version, let values):
            append(tag: 2)
            append(model)
            append(id)
            append(UInt64(bitPattern: version))
            append(values)
        case .delete(let model, let id, let version):
            append(tag: version == nil ? 3 : 7)
            append(model)
            append(id)
            if let version { append(UInt64(bitPattern: version)) }
        case .link(let model, let property, let id, let target):
            append(tag: 5)
            append(model, property, id, target)
        case .unlink(let model, let property, let id, let target):
            append(tag: 6)
            append(model, property, id, target)
        }
    }

    private mutating func append(_ model: String, _ property: String, _ id: UUID, _ target: UUID) {
        append(model)
        append(property)
        append(id)
        append(target)
    }

    mutating func append(undone commit: Int64) {
        append(tag: 4)
        append(UInt64(bitPattern: commit))
    }

    private mutating func append(_ values: [String: FieldValue]) {
        append(UInt64(values.count))
        for (name, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            append(name)
            append(value)
        }
    }

    private mutating func append(_ value: FieldValue) {
        switch value {
        case .null: append(tag: 10)
        case .integer(let number):
            append(tag: 11)
            append(UInt64(bitPattern: number))
        case .real(let number):
            append(tag: 12)
            append(number.bitPattern)
        case .text(let text):
            append(tag: 13)
            append(text)
        case .blob(let blob):
            append(tag: 14)
            append(UInt64(blob.count))
            bytes.append(contentsOf: blob)
        }
    }

    private mutating func append(tag: UInt8) {
        bytes.append(tag)
    }

    private mutating func append(_ text: String) {
        append(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(_ id: UUID) {
        withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
