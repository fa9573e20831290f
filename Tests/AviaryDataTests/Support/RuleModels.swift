// These models have delete rules: Zone →cascade Cage →cascade Bird →cascade Bird (mates, so cycles are possible),
// Keeper →nullify Bird, Bird →deny Permit, Bird →noAction Ring.

import AviaryData
import AviaryDomain

struct Zone: Model {
    var id = RecordID<Zone>()
    var name = "zone"
    var cages = Related<Cage>()

    static let schema = ModelSchema(
        Zone.self,
        [
            .init(\.name, "name"),
            .init(\.cages, "cages", relationship: .init(deleteRule: .cascade, inverse: \Cage.zone)),
        ])

    init() {}

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
    }

    func bind(to writer: inout FieldWriter) { writer.bind(name) }
}

struct Cage: Model {
    var id = RecordID<Cage>()
    var zone: Reference<Zone>
    var birds = Related<Bird>()

    static let schema = ModelSchema(
        Cage.self,
        [
            .init(\.zone, "zone"),
            .init(\.birds, "birds", relationship: .init(deleteRule: .cascade, inverse: \Bird.cage)),
        ])

    init(in zone: Zone) { self.zone = Reference(zone) }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        zone = try reader.next("zone")
    }

    func bind(to writer: inout FieldWriter) { writer.bind(zone) }
}

struct Bird: Model {
    var id = RecordID<Bird>()
    var name = "bird"
    var cage: Reference<Cage>?
    var mate: Reference<Bird>?
    var keeper: Reference<Keeper>?
    var mates = Related<Bird>()
    var permits = Related<Permit>()
    var rings = Related<Ring>()

    static let schema = ModelSchema(
        Bird.self,
        [
            .init(\.name, "name"),
            .init(\.cage, "cage"),
            .init(\.mate, "mate"),
            .init(\.keeper, "keeper"),
            .init(\.mates, "mates", relationship: .init(deleteRule: .cascade, inverse: \Bird.mate)),
            .init(\.permits, "permits", relationship: .init(deleteRule: .deny, inverse: \Permit.bird)),
            .init(\.rings, "rings", relationship: .init(deleteRule: .noAction, inverse: \Ring.bird)),
        ])

    init(in cage: Cage? = nil, mate: Bird? = nil, keeper: Keeper? = nil) {
        self.cage = cage.map { Reference($0) }
        self.mate = mate.map { Reference($0) }
        self.keeper = keeper.map { Reference($0) }
    }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        cage = try reader.next("cage")
        mate = try reader.next("mate")
        keeper = try reader.next("keeper")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(name)
        writer.bind(cage)
        writer.bind(mate)
        writer.bind(keeper)
    }
}

struct Keeper: Model {
    var id = RecordID<Keeper>()
    var birds = Related<Bird>()

    static let schema = ModelSchema(
        Keeper.self,
        [
            .init(\.birds, "birds", relationship: .init(deleteRule: .nullify, inverse: \Bird.keeper))
        ])

    init() {}
    init(from reader: inout FieldReader) throws { id = try reader.next("id") }
    func bind(to writer: inout FieldWriter) {}
}

struct Permit: Model {
    var id = RecordID<Permit>()
    var bird: Reference<Bird>

    static let schema = ModelSchema(Permit.self, [.init(\.bird, "bird")])

    init(for bird: Bird) { self.bird = Reference(bird) }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        bird = try reader.next("bird")
    }

    func bind(to writer: inout FieldWriter) { writer.bind(bird) }
}

struct Ring: Model {
    var id = RecordID<Ring>()
    var bird: Reference<Bird>?

    static let schema = ModelSchema(Ring.self, [.init(\.bird, "bird")])

    init(on bird: Bird) { self.bird = Reference(bird) }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        bird = try reader.next("bird")
    }

    func bind(to writer: inout FieldWriter) { writer.bind(bird) }
}

extension Schema {
    static func rules(indexingTitles: Bool = false) throws -> Schema {
        let models = [Zone.schema, Cage.schema, Bird.schema, Keeper.schema, Permit.schema, Ring.schema]
        return try Schema(indexingTitles ? models.map { $0.indexingTitle() } : models)
    }
}

/// A model with an optional and a required secret.
struct Supplier: Model {
    var id = RecordID<Supplier>()
    var name: String
    var accessKey: String?
    var pin: String

    static let schema = ModelSchema(
        Supplier.self,
        [
            PropertyDefinition(\.name, "name", attributes: [.unique, .required]),
            PropertyDefinition(\.accessKey, "accessKey", attributes: [.secret, .unique]),
            PropertyDefinition(\.pin, "pin", attributes: [.secret]),
        ]
    )

    init(_ name: String, accessKey: String? = nil, pin: String = "") {
        self.name = name
        self.accessKey = accessKey
        self.pin = pin
    }

    init(from reader: inout FieldReader) throws {
        name = try reader.next("name")
        accessKey = try reader.next("accessKey")
        pin = try reader.next("pin")
        id = try reader.next("id")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(name)
        writer.bind(accessKey)
        writer.bind(pin)
    }
}
