import AviaryData
import AviaryDomain
import Foundation

struct Site: Model {
    var id = RecordID<Site>()
    var code: String
    var specimens = Related<Specimen>()

    static let schema = ModelSchema(
        Site.self,
        [
            .init(\.code, "code", attributes: [.unique, .required]),
            .init(\.specimens, "specimens", relationship: .init(deleteRule: .cascade, inverse: \Specimen.site)),
        ])

    init(code: String) { self.code = code }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        code = try reader.next("code")
    }

    func bind(to writer: inout FieldWriter) { writer.bind(code) }
}

/// A model with a property of every type.
struct Specimen: Model {
    enum Kind: String, Choice { case bone, feather, egg }

    var id = RecordID<Specimen>()
    var label = "specimen"
    var note: String?
    var isCast = false
    var number: Int?
    var weight = 0.5
    var found: Date?
    var day: CalendarDate?
    var tag: UUID?
    var kind = Kind.bone
    var site: Reference<Site>?

    static let schema = ModelSchema(
        Specimen.self,
        [
            .init(\.label, "label", attributes: [.required]),
            .init(\.note, "note"),
            .init(\.isCast, "isCast"),
            .init(\.number, "number"),
            .init(\.weight, "weight"),
            .init(\.found, "found"),
            .init(\.day, "day"),
            .init(\.tag, "tag", attributes: [.unique]),
            .init(\.kind, "kind"),
            .init(\.site, "site"),
        ])

    init(label: String = "specimen", note: String? = nil, site: Site? = nil) {
        self.label = label
        self.note = note
        self.site = site.map { Reference($0) }
    }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        label = try reader.next("label")
        note = try reader.next("note")
        isCast = try reader.next("isCast")
        number = try reader.next("number")
        weight = try reader.next("weight")
        found = try reader.next("found")
        day = try reader.next("day")
        tag = try reader.next("tag")
        kind = try reader.next("kind")
        site = try reader.next("site")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(label)
        writer.bind(note)
        writer.bind(isCast)
        writer.bind(number)
        writer.bind(weight)
        writer.bind(found)
        writer.bind(day)
        writer.bind(tag)
        writer.bind(kind)
        writer.bind(site)
    }
}

extension Schema {
    // The model with the reference comes first, because the order must not matter.
    static func snapshots() throws -> Schema { try Schema([Specimen.schema, Site.schema]) }
}
