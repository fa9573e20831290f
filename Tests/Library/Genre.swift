import Aviary

@Model
struct Genre {
    @Attribute(.unique, .required, .length(...60)) var name: String
    var parent: Reference<Genre>?
    @Relationship(deleteRule: .deny, inverse: \Genre.parent) var children: Related<Genre>
    @Relationship(inverse: \Book.genre) var books: Related<Book>
}
