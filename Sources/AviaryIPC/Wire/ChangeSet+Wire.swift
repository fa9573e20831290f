import AviaryDomain
import Foundation
import NIOCore

// Every save is a change set. Texts and lists follow their lengths. The order of a record's values does not
// matter.
extension ByteBuffer {
    mutating func write(wire changeSet: ChangeSet) {
        write(wire: changeSet.id)
        write(wire: changeSet.author)
        write(wire: changeSet.cascadeLimit != nil)
        if let limit = changeSet.cascadeLimit { writeInteger(Int64(limit)) }
        write(wire: changeSet.changes)
        write(wire: changeSet.asked != nil)
        if let asked = changeSet.asked { write(wire: asked) }
    }

    mutating func write(wire basis: ReadBasis) {
        writeInteger(basis.commit)
        writeInteger(UInt32(basis.models.count))
        for model in basis.models { write(wire: model) }
    }

    private mutating func write(wire changes: [Change]) {
        writeInteger(UInt32(changes.count))
        for change in changes { write(wire: change) }
    }

    private mutating func write(wire change: Change) {
        switch change {
        case .insert(let model, let id, let values):
            writeInteger(ChangeTag.insert.rawValue)
            write(wire: model)
            write(wire: id)
            write(wire: values)
        case .update(let model, let id, let version, let values):
            writeInteger(ChangeTag.update.rawValue)
            write(wire: model)
            write(wire: id)
            writeInteger(version)
            write(wire: values)
        case .delete(let model, let id, let version):
            // A store from before the deploy knows only deletions without a version. During the deploy it rejects
            // one with a version, such as that of a removed row, as malformed. It stores nothing then, and the
            // form keeps its input.
            writeInteger((version == nil ? ChangeTag.delete : .deleteVersion).rawValue)
            write(wire: model)
            write(wire: id)
            if let version { writeInteger(version) }
        case .link(let model, let property, let id, let target):
            write(.link, model, property, id, target)
        case .unlink(let model, let property, let id, let target):
            write(.unlink, model, property, id, target)
        }
    }

    private mutating func write(_ tag: ChangeTag, _ model: String, _ property: String, _ id: UUID, _ target: UUID) {
        writeInteger(tag.rawValue)
        write(wire: model)
        write(wire: property)
        write(wire: id)
        write(wire: target)
    }

    private mutating func write(wire values: [String: FieldValue]) {
        writeInteger(UInt32(values.count))
        for (name, value) in values {
            write(wire: name)
            write(wire: value)
        }
    }

    private mutating func write(wire value: FieldValue) {
        switch value {
        case .null: writeInteger(ValueTag.null.rawValue)
        case .integer(let number):
            writeInteger(ValueTag.integer.rawValue)
            writeInteger(number)
        case .real(let number):
            writeInteger(ValueTag.real.rawValue)
            writeInteger(number.bitPattern)
        case .text(let text):
            writeInteger(ValueTag.text.rawValue)
            write(wire: text)
        case .blob(let bytes):
            writeInteger(ValueTag.blob.rawValue)
            write(wire: bytes)
        }
    }
}

private enum ChangeTag: UInt8 {
    case insert = 1, update, delete, link, unlink, deleteVersion
}

private enum ValueTag: UInt8 {
    case null = 1, integer, real, text, blob
}

extension WireReader {
    mutating func basis() throws(Malformed) -> ReadBasis {
        let commit: Int64 = try integer(), count = try count()
        var models: Set<String> = []
        for _ in 0..<count { models.insert(try text()) }
        return ReadBasis(commit: commit, models: models)
    }

    mutating func changeSet(basis: ReadBasis? = nil) throws(Malformed) -> ChangeSet {
        let id = try uuid(), author = try text()
        let limit: Int? = try boolean() ? Int(try integer(Int64.self)) : nil
        let changes = try changes()
        let asked = try boolean() ? try self.changes() : nil
        return ChangeSet(
            id: id, author: author, changes: changes, cascadeLimit: limit, asked: asked, basis: basis)
    }

    /// The size in bytes of the smallest change: its tag, an empty name and an id.
    private static let leastChange = 1 + 4 + 16

    /// Reads changes, for which no more memory is reserved than about three times the size of the request.
    private mutating func changes() throws(Malformed) -> [Change] {
        let count = try count()
        var changes: [Change] = []
        changes.reserveCapacity(min(count, bytesLeft / Self.leastChange))
        for _ in 0..<count { changes.append(try change()) }
        return changes
    }

    private mutating func change() throws(Malformed) -> Change {
        switch ChangeTag(rawValue: try integer()) {
        case .insert: return .insert(model: try text(), id: try uuid(), values: try values())
        case .update: return .update(model: try text(), id: try uuid(), version: try integer(), values: try values())
        case .delete: return .delete(model: try text(), id: try uuid())
        case .deleteVersion: return .delete(model: try text(), id: try uuid(), version: try integer())
        case .link: return .link(model: try text(), property: try text(), id: try uuid(), target: try uuid())
        case .unlink: return .unlink(model: try text(), property: try text(), id: try uuid(), target: try uuid())
        case nil: throw Malformed()
        }
    }

    private mutating func values() throws(Malformed) -> [String: FieldValue] {
        let count = try count()
        var values: [String: FieldValue] = [:]
        values.reserveCapacity(min(count, 100))
        for _ in 0..<count {
            let name = try text(), value = try value()
            guard values.updateValue(value, forKey: name) == nil else { throw Malformed() }
        }
        return values
    }

    private mutating func value() throws(Malformed) -> FieldValue {
        switch ValueTag(rawValue: try integer()) {
        case .null: return .null
        case .integer: return .integer(try integer())
        case .real: return .real(Double(bitPattern: try integer()))
        case .text: return .text(try text())
        case .blob: return .blob(try bytes())
        case nil: throw Malformed()
        }
    }
}
