import AviaryDomain
import Foundation

extension PredicateShape {
    static let identities = [
        PredicateShape("a UUID is equal") { _ in
            let x = Menagerie.tags[1]; return #Predicate { $0.tag == x }
        },
        PredicateShape("a UUID is less") { _ in
            let x = Menagerie.tags[2]; return #Predicate { $0.tag < x }
        },
        PredicateShape("one of some UUIDs") { _ in
            let x = Set(Menagerie.tags.prefix(2)); return #Predicate { x.contains($0.tag) }
        },
        PredicateShape("no reference") { _ in #Predicate { $0.mate == nil } },
        PredicateShape("a reference") { _ in #Predicate { $0.mate != nil } },
        PredicateShape("a reference to a record that is not there") { _ in
            let x = RecordID<Creature>()
            return #Predicate { $0.mate?.id != x }
        },
        PredicateShape("not this id") { _ in
            let x = RecordID<Creature>(); return #Predicate { $0.id != x }
        },
        PredicateShape("a UUID inside of an id") { _ in
            let x = Menagerie.tags[1]; return #Predicate { $0.id.uuid > x }
        },
        PredicateShape("two UUIDs of a record") { _ in #Predicate { $0.id.uuid == $0.tag } },
    ]
}
