import Aviary
import Foundation

@Model
struct Book {
    enum Audience: Int, Choice { case children = 6, youth = 12, adults = 18 }

    #Unique<Book>([\.title, \.year])
    #Index<Book>([\.genre, \.title])

    @Attribute(.required, .length(1...200), .fullText) var title: String
    @Relationship(minimumModelCount: 1, maximumModelCount: 4, inverse: \Author.books) var authors: Related<Author>
    @Attribute(.range(1450...2100)) var year: Int16?
    @Attribute(.unique, .pattern("97[89]-[0-9]{10}", hint: "13 digits, such as 978-0141439518")) var isbn: String?
    var genre: Reference<Genre>?
    var audience: Audience = .adults
    var languages: [String] = ["English"]
    @Attribute(.scale(2), .range(0...)) var price: Decimal?
    @Attribute(.fullText, .length(...4000)) var summary: String = ""
    var online: URL?
    var isReference: Bool = false
    var prequel: Reference<Book>?
    @Relationship(inverse: \Book.prequel) var sequels: Related<Book>
    @Relationship(deleteRule: .cascade, inverse: \Copy.book) var copies: Related<Copy>

    func validate() -> [FieldProblem] {
        guard prequel?.id == id else { return [] }
        return [FieldProblem(\Book.prequel, "Choose another book: none is its own sequel.")]
    }
}
