import Aviary

@Model
struct Friend {
    @Attribute(.required) var name: String
    var birthday: CalendarDate = .today
}
