import Foundation

extension PredicateShape {
    static let numbers = [
        PredicateShape("an integer is equal") { _ in #Predicate { $0.age == 3 } },
        PredicateShape("an integer is less than a negative one") { _ in
            let x = -2; return #Predicate { $0.age < x }
        },
        PredicateShape("an integer is the least there is") { _ in
            let x = Int.min; return #Predicate { $0.age >= x }
        },
        PredicateShape("a double is at least") { _ in #Predicate { $0.weight >= 2.5 } },
        PredicateShape("a double is zero, also a negative zero") { _ in
            let x = -0.0; return #Predicate { $0.weight == x }
        },
        PredicateShape("a double is less than infinity") { _ in
            let x = Double.infinity; return #Predicate { $0.weight < x }
        },
        PredicateShape("two properties are compared") { _ in #Predicate { $0.age < ($0.legs ?? 100) } },
        PredicateShape("a sum") { _ in #Predicate { $0.age + 2 > 5 } },
        PredicateShape("a difference of properties") { _ in #Predicate { $0.age - ($0.legs ?? 0) == 1 } },
        PredicateShape("a product") { _ in #Predicate { $0.age * 3 < 10 } },
        PredicateShape("sum and product") { _ in #Predicate { ($0.age + 1) * 2 == 8 } },
        PredicateShape("a quotient of integers") { _ in #Predicate { $0.age / 2 == 1 } },
        PredicateShape("a quotient by a negative integer") { _ in
            let x = -3; return #Predicate { $0.age / x == 1 }
        },
        PredicateShape("a remainder, also of negative ones") { _ in #Predicate { $0.age % 4 == -1 } },
        PredicateShape("even numbers") { _ in #Predicate { $0.age % 2 == 0 } },
        PredicateShape("a remainder of a sum") { _ in #Predicate { ($0.age + 7) % 3 == 1 } },
        PredicateShape("a negative integer") { _ in #Predicate { -$0.age > 2 } },
        PredicateShape("a sum of doubles") { _ in #Predicate { $0.weight + ($0.height ?? 0) > 5 } },
        PredicateShape("a product of doubles") { _ in #Predicate { $0.weight * 0.1 < 0.3 } },
        PredicateShape("a quotient of doubles") { _ in #Predicate { $0.weight / 3 > 1 } },
        PredicateShape("a negative double") { _ in #Predicate { -$0.weight < -1.5 } },
        PredicateShape("a half-open range") { _ in #Predicate { (1..<5).contains($0.age) } },
        PredicateShape("a closed range") { _ in #Predicate { (1...5).contains($0.age) } },
        PredicateShape("a range of the program") { _ in
            let x = -2.5..<2.5; return #Predicate { x.contains($0.weight) }
        },
        PredicateShape("a range without an end") { _ in
            let x = 4...; return #Predicate { x.contains($0.age) }
        },
        PredicateShape("a range without a beginning") { _ in
            let x = ..<4; return #Predicate { x.contains($0.age) }
        },
        PredicateShape("a range up to and with its end") { _ in
            let x = ...4; return #Predicate { x.contains($0.age) }
        },
        PredicateShape("a range between properties") { _ in #Predicate { ($0.age..<20).contains($0.legs ?? 0) } },
    ]
}
