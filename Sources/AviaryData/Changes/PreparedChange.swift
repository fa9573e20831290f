import AviaryDomain
import Foundation

/// A change that was checked against the schema.
enum PreparedChange: Sendable {
    /// A new record, with the values of all stored properties in their order.
    case insert(ModelTable, id: UUID, values: [FieldValue])
    /// Changed values, with columns by their index among the stored properties.
    ///
    /// The version is nil if the store itself has checked the record.
    case update(ModelTable, id: UUID, version: Int64?, columns: [Int], values: [FieldValue])
    case delete([DeleteRoot])
    /// A delete of this record alone, after the delete rules were applied.
    case remove(ModelTable, id: UUID)
    /// A new link, as seen from the side that the change names.
    case link(LinkSide, id: UUID, target: UUID)
    case unlink(LinkSide, id: UUID, target: UUID)
}

/// A record whose delete was requested, as opposed to one that a delete rule demands.
struct DeleteRoot: Sendable {
    let table: ModelTable
    let id: UUID
    /// The version that the requester saw; nil if any version is accepted.
    var version: Int64?
}

extension Change {
    fileprivate var isDelete: Bool {
        if case .delete = self { true } else { false }
    }
}

extension PreparedChange {
    var isDelete: Bool {
        if case .delete = self { true } else { false }
    }

    /// The number of records that it requests to change, as a measure of the work.
    var size: Int {
        if case .delete(let roots) = self { roots.count } else { 1 }
    }

    static func steps(of changes: [Change], tables: ModelTables) throws(StoreError) -> [PreparedChange] {
        // Deletes of one change set do not deny each other: the first step deletes all of them. Those behind another
        // change are repeated, because a record may be inserted in between.
        var allRoots: [DeleteRoot] = []
        allRoots.reserveCapacity(changes.count(where: \.isDelete))
        for case .delete(let model, let id, let version) in changes {
            allRoots.append(DeleteRoot(table: try table(model, tables), id: id, version: version))
        }
        var steps: [PreparedChange] = []
        var hasDeleted = false, isRepeated = false
        for change in changes {
            if hasDeleted, !change.isDelete { isRepeated = true }
            let table = try table(change.model, tables)
            switch change {
            case .insert(_, let id, let values):
                steps.append(try insert(id, values, into: table))
            case .update(_, let id, let version, let values):
                steps.append(try update(id, version, values, of: table))
            case .delete(_, let id, let version):
                if !hasDeleted {
                    steps.append(.delete(allRoots))
                    hasDeleted = true
                } else if isRepeated {
                    steps.append(.delete([DeleteRoot(table: table, id: id, version: version)]))
                }
            case .link(let model, let property, let id, let target):
                steps.append(.link(try links(property, of: model, tables), id: id, target: target))
            case .unlink(let model, let property, let id, let target):
                steps.append(.unlink(try links(property, of: model, tables), id: id, target: target))
            }
        }
        return steps
    }

    private static func table(_ model: String, _ tables: ModelTables) throws(StoreError) -> ModelTable {
        guard let table = tables[model] else { throw .malformed("there is no model \"\(model)\".") }
        return table
    }

    private static func links(
        _ property: String, of model: String, _ tables: ModelTables
    ) throws(StoreError) -> LinkSide {
        guard let side = tables.linkSide(property, of: model) else {
            throw .malformed("\(model) has no many-to-many property \"\(property)\".")
        }
        return side
    }

    static func insert(_ id: UUID, _ values: [String: FieldValue], into table: ModelTable) throws(StoreError)
        -> PreparedChange
    {
        try checkNames(of: values, in: table)
        var complete = values
        let ordered = table.model.storedProperties.map { property in
            // The author of the change may not know the property: an older program, or an older commit whose undo
            // inserts the record.
            let value = values[property.name] ?? property.defaultValue
            complete[property.name] = value
            return value
        }
        try check(complete, in: table)
        let problems = table.model.problems(in: Record(id: id, version: 0, values: ordered))
        guard problems.isEmpty else { throw .invalid(model: table.model.name, problems) }
        return .insert(table, id: id, values: ordered)
    }

    static func update(
        _ id: UUID, _ version: Int64?, _ values: [String: FieldValue], of table: ModelTable
    ) throws(StoreError) -> PreparedChange {
        try checkNames(of: values, in: table)
        // The rules apply to the values that differ from the stored ones, which are not read yet.
        let problems = table.model.validationProblems(in: values)
        guard problems.isEmpty else { throw .invalid(model: table.model.name, problems) }
        var columns: [Int] = []
        var ordered: [FieldValue] = []
        for (index, property) in table.model.storedProperties.enumerated() {
            guard let value = values[property.name] else { continue }
            columns.append(index)
            ordered.append(value)
        }
        return .update(table, id: id, version: version, columns: columns, values: ordered)
    }

    private static func checkNames(of values: [String: FieldValue], in table: ModelTable) throws(StoreError) {
        let known = values.keys.allSatisfy { table.model.storedIndex(of: $0) != nil }
        guard known else {
            let unknown = values.keys.filter { table.model.storedIndex(of: $0) == nil }.sorted()
            throw .malformed(
                "\(table.model.name) stores no property \(TextFormatter.list(unknown.map { "\"\($0)\"" })).")
        }
    }

    private static func check(_ values: [String: FieldValue], in table: ModelTable) throws(StoreError) {
        let problems = table.model.problems(in: values)
        guard problems.isEmpty else { throw .invalid(model: table.model.name, problems) }
    }
}
