import AviaryDomain
import Foundation

/// A model's table: its names and the statements that need nothing but them.
final class ModelTable: Sendable {
    let model: ModelSchema
    let dialect: any SQLDialect
    /// Quoted, as all names here.
    let name: String
    let columns: [String]
    /// The to-one properties.
    let references: [ReferenceColumn]
    /// References to this model's records, with the tables that hold them.
    let foreignKeys: [ForeignKey]
    /// The many-to-many properties.
    let links: [LinkSide]
    /// The to-many properties that have bounds of the number of records.
    let counts: [RelatedCount]
    /// id, version, then the columns.
    let selection: String
    let insert: Query
    let find: Query
    let remove: Query

    init(_ model: ModelSchema, in schema: Schema, links: [LinkSide] = [], _ dialect: any SQLDialect) {
        self.model = model
        self.dialect = dialect
        let name = dialect.name(model.name)
        let columns = model.storedProperties.map { dialect.name($0.name) }
        let selection = (["id", "aviary_version"] + columns).joined(separator: ", ")
        self.name = name
        self.columns = columns
        self.selection = selection
        references = model.storedProperties.enumerated().compactMap { index, property in
            guard case .toOne(let target) = property.type else { return nil }
            let key = schema.foreignKeys.first { $0.model == model.name && $0.property == property.name }
            return ReferenceColumn(
                index: index, column: dialect.name(property.name), property: property.name, target: target,
                inverse: key.flatMap { RelatedCount($0, dialect) }
            )
        }
        foreignKeys = schema.foreignKeys(to: model.name)
        self.links = links
        counts = links.compactMap(\.count) + foreignKeys.compactMap { RelatedCount($0, dialect) }
        insert = Query("INSERT INTO \(name) (\(selection)) VALUES (\(SQL.placeholders(columns.count + 2)))")
        find = Query("SELECT \(selection) FROM \(name) WHERE id = ?")
        remove = Query("DELETE FROM \(name) WHERE id = ?")
    }

    /// A Boolean value that indicates whether a record's references determine how many related records another has.
    var refersToCounted: Bool { references.contains { $0.inverse != nil } }

    /// A Boolean value that indicates whether a record may violate the bounds of related records, its own or those of
    /// another.
    var isCounted: Bool { !counts.isEmpty || refersToCounted }

    func update(columns indexes: [Int]) -> String {
        let assignments = indexes.filter(columns.indices.contains).map { "\(columns[$0]) = ?" }
        return "UPDATE \(name) SET \((["aviary_version = ?"] + assignments).joined(separator: ", ")) "
            + "WHERE id = ?"
    }
}

/// A column that holds the id of another record.
struct ReferenceColumn: Sendable {
    /// The index of the property among the stored ones.
    let index: Int
    let column: String
    let property: String
    let target: String
    /// The bounds of the target's to-many property; nil when it has none.
    let inverse: RelatedCount?
}

extension RelatedCount {
    fileprivate convenience init?(_ key: ForeignKey, _ dialect: any SQLDialect) {
        guard let inverse = key.inverse else { return nil }
        self.init(
            model: key.target, property: inverse, allowed: key.count, table: dialect.name(key.model),
            column: dialect.name(key.property)
        )
    }
}
