import AviaryDomain
import Foundation

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
