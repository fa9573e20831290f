import AviaryDomain
import Foundation
import TestSupport

/// An in-memory model of a store with the link models, with the simplest implementation of the rules.
///
/// A delete nullifies Book.authors, Person.followers and Person.friends. It cascades through Author.books and
/// Person.follows.
struct LinkOracle: Equatable {
    struct Row: Hashable {
        let relation: String
        let source: UUID
        let target: UUID
    }

    private(set) var records: [UUID: String] = [:]
    private(set) var rows: Set<Row> = []

    var lines: Set<String> {
        Set(rows.map { "\($0.relation) \($0.source.canonicalText) \($0.target.canonicalText)" })
    }

    /// Returns the state after the changes, or nil if the store must reject them.
    func applying(_ changes: [Change]) -> LinkOracle? {
        var copy = self
        var roots: [UUID] = changes.compactMap { if case .delete(_, let id, _) = $0 { id } else { nil } }
        for change in changes {
            switch change {
            case .insert(let model, let id, _): copy.records[id] = model
            case .link(_, let property, let id, let target): copy.rows.formUnion(Self.rows(property, id, target))
            case .unlink(_, let property, let id, let target): copy.rows.subtract(Self.rows(property, id, target))
            case .delete(_, let id, _):
                // The first delete removes all records that are to be deleted.
                for root in roots + [id] { copy.delete(root) }
                roots = []
            case .update: break
            }
        }
        let isWhole = copy.rows.allSatisfy { copy.records[$0.source] != nil && copy.records[$0.target] != nil }
        return isWhole ? copy : nil
    }

    private mutating func delete(_ id: UUID) {
        guard records.removeValue(forKey: id) != nil else { return }
        let gone = rows.filter { $0.source == id || $0.target == id }
        rows.subtract(gone)
        for row in gone {
            if row.relation == "Book.authors", row.target == id { delete(row.source) }
            if row.relation == "Person.follows", row.source == id { delete(row.target) }
        }
    }

    private static func rows(_ property: String, _ id: UUID, _ target: UUID) -> [Row] {
        switch property {
        case "authors": [Row(relation: "Book.authors", source: id, target: target)]
        case "books": [Row(relation: "Book.authors", source: target, target: id)]
        case "follows": [Row(relation: "Person.follows", source: id, target: target)]
        case "followers": [Row(relation: "Person.follows", source: target, target: id)]
        default:
            [
                Row(relation: "Person.friends", source: id, target: target),
                Row(relation: "Person.friends", source: target, target: id),
            ]
        }
    }
}

/// A generator of random changes to links and their records.
struct RandomLinks {
    private var generator: SeededGenerator
    private var books: [Book] = []
    private var authors: [Author] = []
    private var people: [Person] = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func isUndo() -> Bool { Int.random(in: 0..<4, using: &generator) == 0 }

    mutating func nextChanges() -> [Change] {
        (0..<Int.random(in: 1...5, using: &generator)).compactMap { _ in nextChange() }
    }

    private mutating func nextChange() -> Change? {
        switch Int.random(in: 0..<16, using: &generator) {
        case 0:
            books.append(Book())
            return books.last?.insertion
        case 1:
            authors.append(Author())
            return authors.last?.insertion
        case 2:
            people.append(Person())
            return people.last?.insertion
        case 3: return books.randomElement(using: &generator)?.deletion
        case 4: return authors.randomElement(using: &generator)?.deletion
        case 5: return people.randomElement(using: &generator)?.deletion
        case 6...8: return pair(books, authors) { .link($0, \.authors, $1) }
        case 9: return pair(authors, books) { .link($0, \.books, $1) }
        case 10: return pair(books, authors) { .unlink($0, \.authors, $1) }
        case 11: return pair(people, people) { .link($0, \.friends, $1) }
        case 12: return pair(people, people) { .unlink($0, \.friends, $1) }
        case 13: return pair(people, people) { .link($0, \.follows, $1) }
        case 14: return pair(people, people) { .link($0, \.followers, $1) }
        default: return pair(people, people) { .unlink($0, \.follows, $1) }
        }
    }

    private mutating func pair<A, B>(_ left: [A], _ right: [B], _ make: (A, B) -> Change) -> Change? {
        // The newer records are used, because most of the old ones are deleted.
        guard let left = left.suffix(6).randomElement(using: &generator),
            let right = right.suffix(6).randomElement(using: &generator)
        else { return nil }
        return make(left, right)
    }
}
