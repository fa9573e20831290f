import AviaryDomain
import Foundation

/// A record while its line is being read.
struct PartialRecord {
    let columns: [String: SnapshotColumns]
    var id: String?
    var version: Int64?
    private var model: SnapshotColumns?
    private var values: (all: [FieldValue], withheld: [Int])?
    /// The position of the values, when they precede the model that determines their types.
    private var postponed: JSONReader?

    init(columns: [String: SnapshotColumns]) {
        self.columns = columns
    }

    var isEmpty: Bool { id == nil && version == nil && model == nil && values == nil && postponed == nil }

    mutating func readModel(_ reader: inout JSONReader) throws {
        let name = try reader.text()
        guard let model = columns[name] else { throw SnapshotError(.unknownModel) }
        self.model = model
    }

    mutating func readValues(_ reader: inout JSONReader) throws {
        guard let model else {
            postponed = reader
            return try reader.skip()
        }
        values = try model.values(&reader)
    }

    func complete() throws -> SnapshotRecord {
        guard let model, let id, id.isCanonicalUUID else {
            throw SnapshotError(.malformedRecord(localized("it has no model, or no id that is a canonical UUID.")))
        }
        guard let version, version > 0 else { throw SnapshotError(.malformedRecord(localized("it has no version."))) }
        var values = values
        if var postponed { values = try model.values(&postponed) }
        guard let values else { throw SnapshotError(.malformedRecord(localized("it has no values."))) }
        return SnapshotRecord(
            table: model.table, id: id, version: version, values: values.all, withheld: values.withheld)
    }
}

extension String {
    /// Looks at the bytes in place: this is asked of every record.
    fileprivate var isCanonicalUUID: Bool {
        var text = self
        return text.withUTF8 { UUID(canonicalUTF8: $0) != nil }
    }
}
