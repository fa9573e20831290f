import AviaryDomain
import Foundation

/// Notes the records that may have got too few or too many related ones, and looks at them when the change set ends:
/// inside of one, a record may lose what it gets again.
struct RelatedCountCheck {
    private struct Touched {
        let count: RelatedCount
        var ids: Set<String>
    }

    private var touched: [ObjectIdentifier: Touched] = [:]

    /// - Parameter count: Nil where nothing is asked for.
    mutating func touch(_ id: String, _ count: RelatedCount?) {
        guard let count else { return }
        touched[ObjectIdentifier(count), default: Touched(count: count, ids: [])].ids.insert(id)
    }

    /// A value of a reference, before or after.
    mutating func touch(_ value: FieldValue, of reference: ReferenceColumn) {
        if let count = reference.inverse, case .text(let id) = value { touch(id, count) }
    }

    /// All that a record of the table refers to.
    mutating func touchReferences(of table: ModelTable, _ values: [FieldValue]) {
        for reference in table.references where reference.index < values.count {
            touch(values[reference.index], of: reference)
        }
    }

    /// - Returns: The first record that has too few or too many.
    func violation(in tables: ModelTables, _ connection: any Connection) throws -> StoreError? {
        for touched in touched.values {
            let count = touched.count
            guard let table = tables[count.model] else { continue }
            for text in touched.ids {
                guard let found = try count.violation(by: text, in: connection),
                    try connection.firstRow(table.find, [.text(text)], read: { _ in true }) != nil,
                    let id = UUID(canonicalText: text)
                else { continue }
                return .relatedCount(
                    model: count.model, id: id, property: count.property, count: found, allowed: count.allowed
                )
            }
        }
        return nil
    }
}
