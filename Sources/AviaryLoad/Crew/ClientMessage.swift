/// What a further client process says, a line of JSON each.
enum ClientMessage: Sendable, Codable {
    /// Some twice a second while it works.
    case recent(RecentFigures)
    /// In the end.
    case result(CrewResult)
}
