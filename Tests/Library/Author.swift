import Aviary
import Foundation

@Model
struct Author {
    @Attribute(.required, .length(...120), .indexed) var name: String
    var born: CalendarDate?
    var died: CalendarDate?
    var website: URL?
    // An author of a book stays: the book asks for one at least.
    @Relationship var books: Related<Book>

    func validate() -> [FieldProblem] {
        guard let born, let died, died < born else { return [] }
        return [FieldProblem(\Author.died, "Choose a day after the birth.")]
    }
}
