import AviaryDomain
import Foundation

/// A row to be stored, with the id of the change set that stores it. As text it is a line of columns, in the table's
/// order, between tabs, so that the store and its peer store the very same rows.
struct SampleRow {
    let changeSet: UUID
    let id: UUID
    let code: String
    let name: String
    let amount: Int64
    let weight: Double
    let taken: String

    /// Rows are numbered from 0; ids are those of 50,000 rows a second, however fast they are made, because how near
    /// to each other they fall in an index depends on it.
    init(_ number: Int, keys: Keys) {
        let time = Self.firstTime.addingTimeInterval(Double(number) / 50_000)
        changeSet = .version7(at: time)
        id = .version7(at: time)
        code = keys.code(number)
        name = "Sample number \(number)"
        amount = Int64(number % 1000)
        weight = Double(number % 100_000) / 8
        taken = "2026-03-\(10 + number % 20)"
    }

    private static let firstTime = Date(timeIntervalSince1970: 1_767_225_600)
}

extension SampleRow {
    var line: String {
        "\(changeSet.canonicalText)\t\(id.canonicalText)\t\(code)\t\(name)\t\(amount)\t\(weight)\t\(taken)\n"
    }

    /// Nil when it is no such line.
    init?(line: Substring) {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard columns.count == 7, let changeSet = UUID(canonicalText: columns[0]),
            let id = UUID(canonicalText: columns[1]),
            let amount = Int64(columns[4]), let weight = Double(columns[5])
        else { return nil }
        self.changeSet = changeSet
        self.id = id
        code = String(columns[2])
        name = String(columns[3])
        self.amount = amount
        self.weight = weight
        taken = String(columns[6])
    }

    /// The change set that a caller of the store submits.
    var submission: ChangeSet {
        let values: [String: FieldValue] = [
            "code": .text(code), "name": .text(name), "amount": .integer(amount), "weight": .real(weight),
            "taken": .text(taken),
        ]
        return ChangeSet(
            id: changeSet, author: "benchmark", changes: [.insert(model: Sample.modelName, id: id, values: values)]
        )
    }
}

/// The measured model: five columns, one of them unique.
struct Sample: Model {
    var id: RecordID<Sample>
    var code: String
    var name: String
    var amount: Int
    var weight: Double
    var taken: CalendarDate

    static let schema = ModelSchema(
        Sample.self,
        [
            .init(\.code, "code", attributes: [.unique, .required]),
            .init(\.name, "name", attributes: [.required]),
            .init(\.amount, "amount"),
            .init(\.weight, "weight"),
            .init(\.taken, "taken"),
        ])

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        code = try reader.next("code")
        name = try reader.next("name")
        amount = try reader.next("amount")
        weight = try reader.next("weight")
        taken = try reader.next("taken")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(code)
        writer.bind(name)
        writer.bind(amount)
        writer.bind(weight)
        writer.bind(taken)
    }
}
