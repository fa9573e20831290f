import Aviary
import Foundation

extension Library {
    var sampleChanges: [Change] { SampleLibrary().changes }
}

/// Books that belong to nobody any more, and people who never lived.
private struct SampleLibrary {
    private(set) var changes: [Change] = []

    init() {
        let genres = addGenres()
        let austen = author(
            "Jane Austen", born: "1775-12-16", died: "1817-07-18", website: "https://www.gutenberg.org/ebooks/author/68"
        )
        let carroll = author("Lewis Carroll", born: "1832-01-27", died: "1898-01-14")
        let melville = author("Herman Melville", born: "1819-08-01", died: "1891-09-28")
        let shelley = author("Mary Shelley", born: "1797-08-30", died: "1851-02-01")
        let darwin = author("Charles Darwin", born: "1809-02-12", died: "1882-04-19")
        let engels = author("Friedrich Engels", born: "1820-11-28", died: "1895-08-05")
        let marx = author("Karl Marx", born: "1818-05-05", died: "1883-03-14")
        let stevenson = author("Robert Louis Stevenson", born: "1850-11-13", died: "1894-12-03")
        let osbourne = author("Lloyd Osbourne", born: "1868-04-07", died: "1947-05-22")

        let pride = add(
            Book(
                title: "Pride and Prejudice", year: 1813, isbn: "978-0141439518", genre: genres["Novel"], price: 9.99,
                summary: "The second of five sisters learns how wrong a first impression can be, and so does he.",
                online: URL(string: "https://www.gutenberg.org/ebooks/1342")
            ), by: austen)
        let emma = add(
            Book(
                title: "Emma", year: 1815, genre: genres["Novel"], price: 8.5,
                summary: "Handsome, clever and rich, she arranges the happiness of others, with little success."
            ), by: austen)
        let alice = add(
            Book(
                title: "Alice's Adventures in Wonderland", year: 1865, genre: genres["Fantasy"], audience: .children,
                languages: ["English", "French"], price: 7.25,
                summary: "A girl follows a rabbit who is late.\n\nShe grows, shrinks, and takes tea with a hatter.",
                online: URL(string: "https://www.gutenberg.org/ebooks/11")
            ), by: carroll)
        add(
            Book(
                title: "Through the Looking-Glass", year: 1871, genre: genres["Fantasy"], audience: .children,
                summary: "Behind a mirror lies a game of chess.", prequel: Reference(alice)
            ), by: carroll)
        let whale = add(
            Book(
                title: "Moby-Dick; or, The Whale", year: 1851, genre: genres["Novel"], price: 12,
                summary: "A captain hunts the white whale that took his leg, and takes his crew along."
            ), by: melville)
        let frankenstein = add(
            Book(
                title: "Frankenstein", year: 1818, genre: genres["Horror"], audience: .youth,
                summary: "A student makes a living being and runs away from it."
            ), by: shelley)
        add(
            Book(
                title: "On the Origin of Species", year: 1859, genre: genres["Natural history"], price: 15,
                summary: "How kinds of plants and animals come to be.", isReference: true
            ), by: darwin)
        add(
            Book(
                title: "The Communist Manifesto", year: 1848, genre: genres["Politics"],
                languages: ["German", "English"],
                summary: "A spectre is haunting Europe."
            ), by: marx, engels)
        add(
            Book(
                title: "The Wrong Box", year: 1889, genre: genres["Novel"],
                summary: "Two brothers, a lottery on who lives longest, and a body that will not stay where it is put."
            ), by: stevenson, osbourne)

        let copies = [
            copy("AUS-001", of: pride), copy("AUS-002", of: pride, number: 2, .worn),
            copy("AUS-003", of: emma, number: 1, .good),
            copy("CAR-001", of: alice), copy("MEL-001", of: whale, number: 1, .damaged),
            copy("SHE-001", of: frankenstein),
        ]
        let ines = member(
            "Inês Carvalho", "M-0001", Address(street: "12 Harbour Road", town: "Whitby", postcode: "YO21 3PU"))
        let tomasz = member(
            "Tomasz Zieliński", "M-0002", Address(street: "3 Mill Lane", town: "Sleights", postcode: nil))
        member("Grace Okafor", "M-0003", nil)

        lend(copies[0], to: ines, "2026-09-01", due: "2026-09-29", returned: "2026-10-06", fine: 0.7)
        lend(copies[0], to: tomasz, "2026-10-10", due: "2026-11-07")
        lend(copies[3], to: ines, "2026-11-02", due: "2099-11-30")
        lend(copies[5], to: tomasz, "2026-11-09", due: "2099-12-07")
    }

    private mutating func addGenres() -> [String: Reference<Genre>] {
        var genres: [String: Reference<Genre>] = [:]
        for (name, parent) in [
            ("Fiction", nil), ("Novel", "Fiction"), ("Fantasy", "Fiction"), ("Horror", "Fiction"),
            ("Non-fiction", nil), ("Natural history", "Non-fiction"), ("Politics", "Non-fiction"),
        ] {
            let genre = Genre(name: name, parent: parent.flatMap { genres[$0] })
            changes.append(.insert(genre))
            genres[name] = Reference(genre)
        }
        return genres
    }

    private mutating func author(_ name: String, born: String, died: String, website: String? = nil) -> Author {
        let author = Author(
            name: name, born: CalendarDate(born), died: CalendarDate(died), website: website.flatMap { URL(string: $0) }
        )
        changes.append(.insert(author))
        return author
    }

    @discardableResult
    private mutating func add(_ book: Book, by authors: Author...) -> Book {
        changes.append(.insert(book))
        for author in authors { changes.append(.link(book, \.authors, author)) }
        return book
    }

    private mutating func copy(
        _ shelfmark: String, of book: Book, number: UInt16 = 1, _ condition: Copy.Condition = .new
    ) -> Copy {
        let copy = Copy(shelfmark: shelfmark, book: Reference(book), number: number, condition: condition)
        changes.append(.insert(copy))
        return copy
    }

    @discardableResult
    private mutating func member(_ name: String, _ card: String, _ address: Address?) -> Member {
        let member = Member(name: name, card: card, pin: "2468", address: address)
        changes.append(.insert(member))
        return member
    }

    private mutating func lend(
        _ copy: Copy, to member: Member, _ borrowed: String, due: String, returned: String? = nil, fine: Decimal = 0
    ) {
        changes.append(
            .insert(
                Loan(
                    copy: Reference(copy), member: Reference(member), borrowed: CalendarDate(borrowed) ?? .today,
                    due: CalendarDate(due) ?? .today, returned: returned.flatMap { CalendarDate($0) }, fine: fine
                )))
    }
}
