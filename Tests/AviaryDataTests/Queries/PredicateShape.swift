import Foundation

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
