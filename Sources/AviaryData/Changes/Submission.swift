import AviaryDomain
import Crypto
import Foundation

/// A change set made ready for the store: everything that needs no file is done before it queues for the writer.
struct Submission: Sendable {
    let id: UUID
    let idText: String
    let fingerprint: [UInt8]
    let author: String
    /// The commit that it takes back.
    let undoes: Int64?
    /// Or what stands against it. A receipt comes first, so this is only told to those that have none.
    let steps: Result<[Step], StoreError>
    let cascadeLimit: Int?
    /// About what it holds in memory.
    let bytes: Int

    init(_ changeSet: ChangeSet, tables: ModelTables) {
        id = changeSet.id
        idText = changeSet.id.canonicalText
        fingerprint = changeSet.fingerprint
        author = changeSet.author
        undoes = nil
        cascadeLimit = changeSet.cascadeLimit
        bytes = changeSet.changes.reduce(100) { $0 + $1.bytes }
        steps = Result { () throws(StoreError) in try Step.steps(of: changeSet.changes, tables: tables) }
    }

    /// The inverse of a commit, ready to be applied.
    init(_ undo: Undo, inverse: [Step]) {
        id = undo.id
        idText = undo.id.canonicalText
        fingerprint = undo.fingerprint
        author = undo.author
        undoes = undo.commit
        cascadeLimit = nil
        bytes = 0
        steps = .success(inverse)
    }

    /// The number of its changes, as a measure of the work.
    var size: Int {
        switch steps {
        case .success(let steps): steps.count
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
    /// SHA-256 of what was asked to be stored. Who submits it and how far deletes may go are not part of it.
    var fingerprint: [UInt8] {
        var encoder = CanonicalEncoder()
        for change in asked ?? changes {
            encoder.append(change)
        }
        return Array(SHA256.hash(data: encoder.bytes))
    }
}

extension Undo {
    /// Unlike that of any change set, whatever it is made of.
    var fingerprint: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.append(undone: commit)
        return Array(SHA256.hash(data: encoder.bytes))
    }
}

/// Writes changes as bytes, each text and list behind its length, so that two different contents never look alike.
private struct CanonicalEncoder {
    private(set) var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(512)
    }

    mutating func append(_ change: Change) {
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
