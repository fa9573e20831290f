import Foundation

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
