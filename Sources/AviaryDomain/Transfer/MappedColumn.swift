import Foundation

/// A column of the file and the property that it fills.
struct MappedColumn {
    let index: Int
    let name: String
    let property: PropertySchema
}

// The checks that only need the header run before any line is read.
extension RecordImport {
    func columns(named header: [String], hasLinksOnBothSides: Bool = false) throws(ImportError) -> [MappedColumn] {
        let ofFile = try mappedColumns(named: header, hasLinksOnBothSides: hasLinksOnBothSides)
        if ofFile.isEmpty {
            throw .nothingMapped(known: header, properties: model.storedProperties.map(\.name))
        }
        let columns = ofFile + (try constantColumns(behind: header.count))
        var filled: Set<String> = []
        for column in columns {
            guard filled.insert(column.property.name).inserted else {
                throw .mappedTwice(property: column.property.name)
            }
        }
        let missing = model.storedProperties.filter { !filled.contains($0.name) && $0.isMissingWithoutColumn }
        if !missing.isEmpty {
            throw .missingProperties(missing.map(\.name), model: model.name)
        }
        return columns
    }

    /// Returns the columns of the values that all lines get, which follow the columns of the file.
    ///
    /// - Throws: ``ImportError`` for an unknown property and for a value that does not fit. References are looked up
    ///   with the lines.
    private func constantColumns(behind count: Int) throws(ImportError) -> [MappedColumn] {
        var columns: [MappedColumn] = []
        for (offset, constant) in constants.enumerated() {
            let property = try property(constant.property)
            if case .toMany(let other) = property.type, !isLink(property) {
                throw .notStored(property: property.name, model: other)
            }
            if property.type.isStored, property.type.model == nil, !nullMarkers.contains(constant.value),
                case .failure(let problem) = property.value(inCSV: property.spelledInFile(constant.value))
            {
                throw .unreadableConstant(property: property.name, problem: problem.message)
            }
            columns.append(MappedColumn(index: count + offset, name: property.name, property: property))
        }
        return columns
    }

    /// Checks the names that the user gave, as far as this is possible without the file.
    package func checkNames() throws(ImportError) {
        for field in mapping where field.property != Self.idName { _ = try property(field.property) }
        _ = try constantColumns(behind: 0)
        guard case .property(let name) = match else { return }
        guard try property(name).isUnique else { throw .notUnique(property: name, model: model.name) }
    }

    func property(_ name: String) throws(ImportError) -> PropertySchema {
        guard let property = model.property(name) else {
            throw .unknownProperty(name, model: model.name, known: model.storedProperties.map(\.name))
        }
        return property
    }

    /// Returns the columns whose values the import does not use, in their order.
    package func unusedColumns(of source: some ImportSource) throws -> [String] {
        let header = try source.columns(), idColumn = try idColumn(named: header)
        let used = Set(try mappedColumns(named: header).map(\.index))
        return header.enumerated().filter {
            !used.contains($0.offset) && $0.offset != idColumn && $0.element != RejectedRecords.column
        }.map(\.element)
    }

    /// Returns the index of the column that contains the ids of the records; nil when all records get new ids.
    func idColumn(named header: [String]) throws(ImportError) -> Int? {
        let mapped = mapping.first { $0.property == Self.idName }?.column
        guard let name = mapped ?? (mapsByName ? Self.idName : nil), !mapsByName || !name.isEmpty else { return nil }
        guard let index = header.firstIndex(of: name) else {
            if mapped != nil { throw .unknownColumn(name, known: header) }
            return nil
        }
        guard header.lastIndex(of: name) == index else { throw .ambiguousColumn(name) }
        return index
    }

    static let idName = "id"

    func matchingColumns(named header: [String]) -> [MappedColumn] {
        header.enumerated().compactMap { index, name in
            guard name != RejectedRecords.column else { return nil }
            let property =
                fillable.first { $0.name == name }
                ?? fillable.first { $0.label.lowercased() == name.lowercased() }
            return property.map { MappedColumn(index: index, name: name, property: $0) }
        }
    }

    /// Returns the columns of the mapping and those that fill a property by their name.
    private func mappedColumns(
        named header: [String], hasLinksOnBothSides: Bool = false
    ) throws(ImportError) -> [MappedColumn] {
        var columns: [MappedColumn] = []
        for field in mapping where field.property != Self.idName {
            let property = try property(field.property)
            if mapsByName, field.column.isEmpty { continue }
            if case .toMany(let other) = property.type, !isLink(property) {
                throw .notStored(property: property.name, model: other)
            }
            guard let index = header.firstIndex(of: field.column) else {
                throw .unknownColumn(field.column, known: header)
            }
            guard header.lastIndex(of: field.column) == index else { throw .ambiguousColumn(field.column) }
            columns.append(MappedColumn(index: index, name: field.column, property: property))
        }
        guard mapsByName else { return columns }
        // A column and a property that were mapped, and a property with a value for all lines, are not available.
        let filled = Set(mapping.map(\.property) + constants.map(\.property)), used = Set(mapping.map(\.column))
        return columns
            + matchingColumns(named: header).filter {
                !filled.contains($0.property.name) && !used.contains($0.name)
                    && (!hasLinksOnBothSides || schema.link($0.property.name, of: model.name)?.isInverse != true)
            }
    }

    /// The properties that a column can fill, including many-to-many properties, whose cells name the records to link
    /// with.
    var fillable: [PropertySchema] { model.properties.filter { $0.type.isStored || isLink($0) } }

    private func isLink(_ property: PropertySchema) -> Bool { schema.link(property.name, of: model.name) != nil }
}

extension PropertySchema {
    /// Indicates whether the store would reject a record without a given value.
    var isMissingWithoutColumn: Bool { isRequired && makeDefault == nil }
}

/// The column of a file with the ids of its records, so that exported records keep their identity.
struct IDColumn {
    private let index: Int
    /// The ids of all lines, if records of the model can refer to each other, including to a later line.
    let all: Set<UUID>

    /// Creates the column.
    ///
    /// - Parameter rejected: The lines that the import leaves out.
    init(index: Int, model: ModelSchema, source: some ImportSource, leavingOut rejected: Set<Int> = []) throws {
        self.index = index
        guard model.properties.contains(where: { $0.type.model == model.name }) else {
            all = []
            return
        }
        var ids: Set<UUID> = []
        var reader = try source.records()
        // The import reads the line again and then reports its problem.
        while let result = try reader.next() {
            if case .success(let record) = result, !rejected.contains(record.line),
                case .success(let id?) = Self.id(in: record, at: index)
            {
                ids.insert(id)
            }
        }
        all = ids
    }

    /// Returns the id in a record's cell; nil for an empty cell.
    func id(of record: ImportRecord) -> Result<UUID?, FieldProblem> {
        Self.id(in: record, at: index)
    }

    private static func id(in record: ImportRecord, at index: Int) -> Result<UUID?, FieldProblem> {
        guard record.cells.indices.contains(index) else { return .success(nil) }
        let text = record.cells[index].shown.trimmed(.whitespaces).lowercased()
        if text.isEmpty { return .success(nil) }
        guard let id = UUID(canonicalText: text) else {
            return .failure(
                FieldProblem(
                    property: "id",
                    message: localized(
                        "This is not an ID such as 017f22e2-79b0-7cc3-98c4-dc0c0c07398f. Rename the column to skip it."
                    )
                ))
        }
        return .success(id)
    }
}

extension PropertySchema {
    /// Returns the text of a cell as the parser of the type reads it: a choice as it is declared, and a point in time
    /// for a day as the day.
    func spelledInFile(_ text: String) -> String {
        type == .calendarDate ? CalendarDate.day(ofTime: text) ?? text : spelledAsDeclared(text)
    }

    /// Returns the choice whose raw value or label equals the text without regard to case; otherwise the text.
    private func spelledAsDeclared(_ text: String) -> String {
        guard let choices = type.choices else { return text }
        let trimmed = text.trimmed(.whitespaces)
        guard !choices.contains(trimmed) else { return trimmed }
        // An export contains raw values, and a file that a person wrote may contain labels.
        let names = Array(zip(choices, choices)) + Array(zip(choices, choiceLabels))
        return names.first { $0.1.lowercased() == trimmed.lowercased() }?.0 ?? trimmed
    }
}
