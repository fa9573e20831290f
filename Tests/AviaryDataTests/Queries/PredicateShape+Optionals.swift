// Predicates that unwrap by force are part of the language.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation

extension PredicateShape {
    static let optionals = [
        PredicateShape("nil is nil") { _ in #Predicate { $0.nickname == nil } },
        PredicateShape("something is not nil") { _ in #Predicate { $0.legs != nil } },
        PredicateShape("an optional is equal") { t in
            let x = t("kea"); return #Predicate { $0.nickname == x }
        },
        PredicateShape("an optional is not equal: nil is not") { t in
            let x = t("kea"); return #Predicate { $0.nickname != x }
        },
        PredicateShape("an optional is equal to a constant that is nil") { _ in
            let x: String? = nil; return #Predicate { $0.nickname == x }
        },
        PredicateShape("an optional is not equal to a constant that is nil") { _ in
            let x: Int? = nil; return #Predicate { $0.legs != x }
        },
        PredicateShape("two optionals are equal, nil to nil too") { _ in #Predicate { $0.diet.other == $0.secondDiet }
        },
        PredicateShape("two optionals are not equal") { _ in #Predicate { $0.secondDiet != $0.diet.other } },
        PredicateShape("what an optional would be") { t in
            let x = t("none"); return #Predicate { ($0.nickname ?? x) == x }
        },
        PredicateShape("what an optional number would be") { _ in #Predicate { ($0.legs ?? 3) >= 3 } },
        PredicateShape("one property in the place of another") { t in
            let x = t("a"); return #Predicate { ($0.nickname ?? $0.name) < x }
        },
        PredicateShape("an optional text contains") { t in
            let x = t("e"); return #Predicate { $0.nickname?.contains(x) == true }
        },
        PredicateShape("an optional text does not contain, and nil does not either") { t in
            let x = t("e")
            return #Predicate { $0.nickname?.contains(x) != true }
        },
        PredicateShape("not: an optional text contains") { t in
            let x = t("e"); return #Predicate { !($0.nickname?.contains(x) ?? false) }
        },
        PredicateShape("an optional text is empty") { _ in #Predicate { $0.nickname?.isEmpty == false } },
        PredicateShape("an optional text is empty or nil") { _ in #Predicate { $0.nickname?.isEmpty ?? true } },
        PredicateShape("an optional text starts with") { t in
            let x = t("K"); return #Predicate { $0.nickname?.starts(with: x) == false }
        },
        PredicateShape("what chaining gives is nil") { t in
            let x = t("K"); return #Predicate { $0.nickname?.starts(with: x) == nil }
        },
        PredicateShape("flatMap") { _ in #Predicate { $0.legs.flatMap { $0 > 2 } == true } },
        PredicateShape("flatMap gives nil") { _ in #Predicate { $0.legs.flatMap { $0 > 2 } != true } },
        PredicateShape("flatMap compares with nil inside") { _ in
            #Predicate { c in c.legs.flatMap { c.height == nil || $0 > 2 } ?? true }
        },
        PredicateShape("if let") { _ in #Predicate { if let x = $0.height { x > 2 } else { false } } },
        PredicateShape("if let, else true") { _ in #Predicate { if let x = $0.height { x > 2 } else { true } } },
        PredicateShape("a forced unwrap that was tested") { _ in #Predicate { $0.legs != nil && $0.legs! > 2 } },
        PredicateShape("a forced unwrap after or") { _ in #Predicate { $0.legs == nil || $0.legs! > 2 } },
        PredicateShape("a forced unwrap in a branch") { _ in
            #Predicate { $0.height == nil ? $0.isTame : $0.height! < 3 }
        },
        PredicateShape("not: a forced unwrap that was tested") { _ in #Predicate { !($0.legs != nil && $0.legs! > 2) }
        },
        PredicateShape("an optional truth value is true") { _ in #Predicate { $0.isTagged == true } },
        PredicateShape("an optional truth value is not true") { _ in #Predicate { $0.isTagged != true } },
        PredicateShape("an optional truth value or its default") { _ in #Predicate { $0.isTagged ?? $0.isTame } },
    ]
}
