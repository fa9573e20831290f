import Aviary
import Foundation

@Model
struct Member {
    @Attribute(.required, .length(...120)) var name: String
    @Attribute(.unique, .required, .pattern("M-[0-9]{4}", hint: "a card number such as M-0042")) var card: String
    @Attribute(.secret, .length(4...12)) var pin: String?
    var address: Address?
    var joined: CalendarDate = .today
    var lastVisit: Date?
    @Relationship(deleteRule: .deny, inverse: \Loan.member) var loans: Related<Loan>
}
