import Foundation

extension ImportPlanner {
    /// Notes that the record of a line exists, or that an earlier line has it.
    private mutating func noteDuplicate(
        _ message: String, on line: Int, value: String? = nil, group: String? = nil
    ) {
        isDuplicate = skipsDuplicates
        if !skipsDuplicates { problems.add(message, on: line, value: value, group: group) }
    }

    /// Checks the values that must be unique, in the file and among stored records.
    mutating func checkUniques(
        _ values: [String: FieldValue], of id: UUID, in record: ImportRecord, lookUp: some RecordLookup
    ) async throws {
        let line = record.line
        for column in columns where column.property.isUnique {
            let name = column.property.name, text = quoted(record.cells[column.index], of: column.property)
            if let first = uniques.firstLine(of: values[name], in: name, at: line) {
                noteDuplicate(
                    localized("\(column.name): Line \(String(first)) has the same value. Values must be unique."),
                    on: line, value: text,
                    group: localized("\(column.name): An earlier line has the same value. Values must be unique."))
            } else if let value = values[name], !value.isNull,
                try await lookUp.ids(of: model, where: [name: value]).contains(where: { $0 != id })
            {
                noteDuplicate(
                    localized("\(column.name): This value already exists. Values must be unique."), on: line,
                    value: text)
            }
        }
        if match == .id, let first = uniques.firstLine(of: id.fieldValue, in: "id", at: line) {
            noteDuplicate(
                localized("id: Line \(String(first)) has the same ID."), on: line, value: id.canonicalText,
                group: localized("id: An earlier line has the same ID."))
        }
    }

    /// Checks the constraints that require several values to be unique together.
    mutating func checkTogether(
        _ values: [String: FieldValue], of id: UUID, on line: Int, lookUp: some RecordLookup
    ) async throws {
        for properties in model.uniqueConstraints where properties.count > 1 {
            let compared = properties.compactMap { values[$0] }
            guard compared.count == properties.count, !compared.contains(.null) else { continue }
            let names = TextFormatter.list(properties.map(columnName))
            if let first = uniques.firstLine(of: compared, in: properties, at: line) {
                noteDuplicate(
                    localized("\(names): Line \(String(first)) has the same values. The combination must be unique."),
                    on: line,
                    group: localized("\(names): An earlier line has the same values. The combination must be unique."))
            } else if try await lookUp.ids(of: model, where: values.filter { properties.contains($0.key) }).contains(
                where: { $0 != id })
            {
                noteDuplicate(
                    localized("\(names): These values already exist. The combination must be unique."), on: line)
            }
        }
    }

    /// Returns the id from the file, or else a new one.
    mutating func newID(of record: ImportRecord, lookUp: some RecordLookup) async throws -> UUID {
        guard let ids else { return .version7() }
        switch ids.id(of: record) {
        case .success(nil): return .version7()
        case .success(let id?):
            if match != .id, let first = uniques.firstLine(of: id.fieldValue, in: "id", at: record.line) {
                noteDuplicate(
                    localized("id: Line \(String(first)) has the same ID."), on: record.line, value: id.canonicalText,
                    group: localized("id: An earlier line has the same ID."))
            } else if try await lookUp.contains(id, of: model) {
                noteDuplicate(
                    localized(
                        "id: \(TextFormatter.capitalized(TextFormatter.withArticle(model.singularName))) with this ID already exists."
                    ), on: record.line, value: id.canonicalText)
            }
            return id
        case .failure(let problem):
            problems.add("id: \(problem.message)", on: record.line)
            return .version7()
        }
    }
}

/// The lines of a file on which a value of a unique property first occurred. Several records may have no value.
///
/// It is a hash table with open addressing, which takes 16 bytes a place, however long the texts are: a file of millions
/// of lines is checked in a worker that serves other requests.
struct UniqueValues {
    /// A value as 96 bits of hashes, and its line. The probability that any two of ten million values have the same
    /// hashes is below one in 10¹⁴.
    private struct Entry {
        var first: UInt64 = 0
        var second: UInt32 = 0
        /// The line; 0 for a place that was never used, and the greatest number for one whose value was removed.
        var line: UInt32 = Self.unused

        static let unused: UInt32 = 0
        static let removed = UInt32.max

        var isUsed: Bool { line != Self.unused && line != Self.removed }

        init() {}

        init(properties: [String], values: [FieldValue], line: Int) {
            func hash(_ salt: Int) -> Int {
                var hasher = Hasher()
                hasher.combine(salt)
                hasher.combine(properties)
                hasher.combine(values)
                return hasher.finalize()
            }
            first = UInt64(bitPattern: Int64(hash(1)))
            second = UInt32(truncatingIfNeeded: hash(2))
            self.line = UInt32(clamping: min(max(line, 1), Int(Self.removed) - 1))
        }

        func hasValue(of other: Entry) -> Bool { first == other.first && second == other.second }
    }

    /// A power of two of places, at least a quarter of which were never used.
    private var places = [Entry](repeating: Entry(), count: 16)
    /// The number of places that are used, or were until their value was removed.
    private var filled = 0
    /// The number of values.
    private(set) var count = 0
    /// The values that the current line has first.
    private var addedByLine: [Entry] = []

    /// Begins a line, which keeps the values of earlier lines.
    mutating func beginLine() { addedByLine.removeAll(keepingCapacity: true) }

    /// Drops the values of the current line, because the import leaves the line out.
    mutating func revokeLine() {
        for entry in addedByLine {
            let place = place(of: entry)
            guard places[place].isUsed else { continue }
            // The place stays filled, because values behind it are found by way of it.
            places[place] = Entry()
            places[place].line = Entry.removed
            count -= 1
        }
        addedByLine = []
    }

    /// Returns the earlier line that has the value; nil when this is the first.
    mutating func firstLine(of value: FieldValue?, in property: String, at line: Int) -> Int? {
        guard let value else { return nil }
        return firstLine(of: [value], in: [property], at: line)
    }

    /// Returns the earlier line that has the values of several properties, which are unique together; nil when this
    /// is the first.
    mutating func firstLine(of values: [FieldValue], in properties: [String], at line: Int) -> Int? {
        guard !values.contains(.null) else { return nil }
        let entry = Entry(properties: properties, values: values, line: line)
        let place = place(of: entry)
        guard !places[place].isUsed else { return Int(places[place].line) }
        add(entry, at: place)
        addedByLine.append(entry)
        return nil
    }

    /// Returns the place that has the value, or the unused one where it belongs.
    private func place(of entry: Entry) -> Int {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: entry.first) & mask
        while places[place].line == Entry.removed || places[place].isUsed && !places[place].hasValue(of: entry) {
            place = (place + 1) & mask
        }
        return place
    }

    private mutating func add(_ entry: Entry, at place: Int) {
        places[place] = entry
        count += 1
        filled += 1
        guard filled * 4 > places.count * 3 else { return }
        let old = places
        // Without the removed values the table may be large enough.
        places = Array(repeating: Entry(), count: count * 2 > old.count ? old.count * 2 : old.count)
        filled = count
        for entry in old where entry.isUsed { places[self.place(of: entry)] = entry }
    }
}
