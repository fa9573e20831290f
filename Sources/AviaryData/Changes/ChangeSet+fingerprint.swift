import AviaryDomain
import Crypto
import Foundation

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
