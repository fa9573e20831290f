import Foundation

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
