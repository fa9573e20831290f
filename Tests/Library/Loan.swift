import Aviary
import Foundation

@Model
struct Loan {
    // Nobody borrows a copy twice on a day.
    #Unique<Loan>([\.copy, \.borrowed])
    #Index<Loan>([\.member, \.due])

    var copy: Reference<Copy>
    var member: Reference<Member>
    var borrowed: CalendarDate = .today
    @Attribute(.indexed) var due: CalendarDate
    var returned: CalendarDate?
    @Attribute(.scale(2), .range(0...)) var fine: Decimal = 0
    var remindedAt: Date?

    var isOverdue: Bool { returned == nil && due < .today }

    func validate() -> [FieldProblem] {
        var problems: [FieldProblem] = []
        if due < borrowed { problems.append(FieldProblem(\Loan.due, "Choose a day after the loan began.")) }
        if let returned, returned < borrowed {
            problems.append(FieldProblem(\Loan.returned, "Choose a day after the loan began."))
        }
        return problems
    }
}
