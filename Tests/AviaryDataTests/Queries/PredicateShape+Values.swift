import AviaryDomain
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

extension PredicateShape {
    static let texts = [
        PredicateShape("a text is equal") { t in
            let x = t("Kea"); return #Predicate { $0.name == x }
        },
        PredicateShape("a text is equal to one that is canonically equivalent to others") { t in
            let x = t("e\u{301}")
            return #Predicate { $0.name == x }
        },
        PredicateShape("a text is not equal") { t in
            let x = t("é"); return #Predicate { $0.name != x }
        },
        PredicateShape("the constant stands first") { t in
            let x = t("kea"); return #Predicate { x == $0.name }
        },
        PredicateShape("a text is less") { t in
            let x = t("K"); return #Predicate { $0.name < x }
        },
        PredicateShape("a text is at most") { t in
            let x = t("é"); return #Predicate { $0.name <= x }
        },
        PredicateShape("a text is greater") { t in
            let x = t(""); return #Predicate { $0.name > x }
        },
        PredicateShape("a text is at least") { t in
            let x = t("e\u{301}"); return #Predicate { $0.name >= x }
        },
        PredicateShape("a text is empty") { _ in #Predicate { $0.name.isEmpty } },
        PredicateShape("a text is not empty") { _ in #Predicate { !$0.name.isEmpty } },
        PredicateShape("a text contains another") { t in
            let x = t("e"); return #Predicate { $0.name.contains(x) }
        },
        PredicateShape("a text contains what patterns use") { t in
            let x = t("%"); return #Predicate { $0.name.contains(x) }
        },
        PredicateShape("a text contains the empty one") { _ in
            let x = ""; return #Predicate { $0.name.contains(x) }
        },
        PredicateShape("a text contains a part of a character") { t in
            let x = t("\u{301}"); return #Predicate { $0.name.contains(x) }
        },
        PredicateShape("a text contains a NUL") { t in
            let x = t("a\u{0}"); return #Predicate { $0.name.contains(x) }
        },
        PredicateShape("a text does not contain another") { t in
            let x = t("a"); return #Predicate { !$0.name.contains(x) }
        },
        PredicateShape("a constant contains the text") { t in
            let x = t("Okapi and Kea"); return #Predicate { x.contains($0.name) }
        },
        PredicateShape("a text contains another property") { _ in
            #Predicate { c in c.nickname.flatMap { $0.contains(c.name) } == true }
        },
        PredicateShape("a text starts with another") { t in
            let x = t("K"); return #Predicate { $0.name.starts(with: x) }
        },
        PredicateShape("a text starts with a longer one") { t in
            let x = t("Keaa"); return #Predicate { $0.name.starts(with: x) }
        },
        PredicateShape("a text starts with the empty one") { _ in
            let x = ""; return #Predicate { $0.name.starts(with: x) }
        },
        PredicateShape("a text starts with a NUL") { t in
            let x = t("\u{0}"); return #Predicate { $0.name.starts(with: x) }
        },
        PredicateShape("a text starts with a part of a character") { t in
            let x = t("e"); return #Predicate { $0.name.starts(with: x) }
        },
        PredicateShape("a text does not start with another") { t in
            let x = t("🦉"); return #Predicate { !$0.name.starts(with: x) }
        },
    ]
}

extension PredicateShape {
    private static let day = CalendarDate(year: 2020, month: 2, day: 1) ?? .today

    static let times = [
        PredicateShape("a day is equal") { _ in
            let x = day; return #Predicate { $0.born == x }
        },
        PredicateShape("a day is before") { _ in
            let x = day; return #Predicate { $0.born < x }
        },
        PredicateShape("an optional day is at least") { _ in
            let x = day; return #Predicate { ($0.moved ?? x) >= x }
        },
        PredicateShape("two days are compared") { _ in #Predicate { c in c.moved.flatMap { $0 < c.born } == true } },
        PredicateShape("a moment is before") { _ in
            let x = Menagerie.noon(plus: 0); return #Predicate { $0.seen < x }
        },
        PredicateShape("a moment is equal") { _ in
            let x = Menagerie.noon(plus: 0); return #Predicate { $0.seen == x }
        },
        PredicateShape("an optional moment is after") { _ in
            let x = Menagerie.noon(plus: 0); return #Predicate { $0.fed.flatMap { $0 > x } ?? false }
        },
        PredicateShape("a range of moments") { _ in
            let x = Menagerie.noon(plus: -1)...Menagerie.noon(plus: 2)
            return #Predicate { x.contains($0.seen) }
        },
    ]
}
