import AviaryDomain
import Foundation
import Testing

/// A kind of predicate that users write.
struct PredicateShape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A closure that returns the predicate. Its parameter encodes a text in the same way as those of the records.
    let predicate: @Sendable (_ text: (String) -> String) -> Predicate<Creature>

    init(_ description: String, _ predicate: @escaping @Sendable ((String) -> String) -> Predicate<Creature>) {
        testDescription = description
        self.predicate = predicate
    }

    static let all = texts + optionals + numbers + logic + choices + times + lists + identities
}

extension PredicateShape {
    static let logic = [
        PredicateShape("a truth value") { _ in #Predicate { $0.isTame } },
        PredicateShape("not a truth value") { _ in #Predicate { !$0.isTame } },
        PredicateShape("a truth value is false") { _ in #Predicate { $0.isTame == false } },
        PredicateShape("both") { _ in #Predicate { $0.isTame && $0.age > 2 } },
        PredicateShape("either") { t in
            let x = t(""); return #Predicate { $0.isTame || $0.name == x }
        },
        PredicateShape("neither") { _ in #Predicate { !($0.isTame || $0.legs == nil) } },
        PredicateShape("and in or in and") { t in
            let x = t("a")
            return #Predicate { ($0.isTame && $0.age > 0 || $0.nickname == x) && $0.height != nil }
        },
        PredicateShape("conditions are compared") { _ in #Predicate { ($0.age > 2) == ($0.weight > 2) } },
        PredicateShape("conditions about nil are compared") { _ in #Predicate { ($0.legs == nil) != ($0.height == nil) }
        },
        PredicateShape("one condition or another") { _ in #Predicate { $0.isTame ? $0.age > 3 : $0.weight < 0 } },
        PredicateShape("one value or another") { _ in #Predicate { ($0.isTame ? $0.age : 5) > 4 } },
        PredicateShape("a constant condition") { _ in
            let x = true; return #Predicate { x || $0.isTame }
        },
    ]
}

extension PredicateShape {
    static let choices = [
        PredicateShape("a choice is equal") { _ in
            let x = Creature.Diet.carnivorous; return #Predicate { $0.diet == x }
        },
        PredicateShape("a choice is not equal") { _ in
            let x = Creature.Diet.carnivorous; return #Predicate { $0.diet != x }
        },
        PredicateShape("an optional choice is equal") { _ in
            let x: Creature.Diet? = .omnivorous; return #Predicate { $0.secondDiet == x }
        },
        PredicateShape("an optional choice is not equal") { _ in
            let x: Creature.Diet? = .omnivorous; return #Predicate { $0.secondDiet != x }
        },
        PredicateShape("a raw value") { _ in #Predicate { $0.diet.rawValue == "omnivorous" } },
        PredicateShape("a raw value of an optional choice") { _ in
            #Predicate { $0.secondDiet?.rawValue != "omnivorous" }
        },
        PredicateShape("a raw value contains") { _ in #Predicate { $0.diet.rawValue.contains("nivor") } },
        PredicateShape("what a choice says of itself") { _ in #Predicate { $0.diet.eatsMeat } },
        PredicateShape("a number that a choice says of itself") { _ in #Predicate { $0.diet.portions > 10 } },
        PredicateShape("what an optional choice says of itself") { _ in #Predicate { $0.secondDiet?.eatsMeat ?? true }
        },
        PredicateShape("one of some choices") { _ in
            let x: [Creature.Diet] = [.herbivorous, .omnivorous]; return #Predicate { x.contains($0.diet) }
        },
    ]
}

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

extension PredicateShape {
    static let lists = [
        PredicateShape("one of some texts") { t in
            let x = ["Kea", "e\u{301}", ""].map(t); return #Predicate { x.contains($0.name) }
        },
        PredicateShape("one of a set") { _ in
            let x: Set = [1, 3, 5]; return #Predicate { x.contains($0.age) }
        },
        PredicateShape("one of those written there") { _ in #Predicate { [1, 3, 5].contains($0.age) } },
        PredicateShape("one of none") { _ in
            let x: [Int] = []; return #Predicate { x.contains($0.age) }
        },
        PredicateShape("none of some") { t in
            let x = ["Kea", ""].map(t); return #Predicate { !x.contains($0.name) }
        },
        PredicateShape("one of some optionals, without nil") { _ in
            let x: [Int?] = [1, 2, 3]; return #Predicate { x.contains($0.legs) }
        },
        PredicateShape("one of some optionals, with nil") { _ in
            let x: [Int?] = [1, nil]; return #Predicate { x.contains($0.legs) }
        },
        PredicateShape("none of some optionals, without nil") { _ in
            let x: [Int?] = [1, 2, 3]; return #Predicate { !x.contains($0.legs) }
        },
        PredicateShape("none of some optionals, with nil") { _ in
            let x: [Int?] = [1, nil]; return #Predicate { !x.contains($0.legs) }
        },
        PredicateShape("one of some doubles") { _ in
            let x = [0.25, -1.5, 0.1]; return #Predicate { x.contains($0.weight) }
        },
        PredicateShape("a text contains one of some") { t in
            let x = ["K", "ss"].map(t)
            return #Predicate { c in x.contains { part in c.name.contains(part) } }
        },
        PredicateShape("a text contains all of some") { t in
            let x = ["a", "e"].map(t)
            return #Predicate { c in x.allSatisfy { part in !c.name.contains(part) } }
        },
        PredicateShape("a test of no elements") { _ in
            let x: [String] = []; return #Predicate { c in x.contains { $0 == c.name } }
        },
        PredicateShape("a test of all of no elements") { _ in
            let x: [String] = []; return #Predicate { c in x.allSatisfy { $0 == c.name } }
        },
    ]
}
