import Foundation

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
