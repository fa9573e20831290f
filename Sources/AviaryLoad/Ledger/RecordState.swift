/// What a record may be like, after everything that was asked for and answered.
enum RecordState: Sendable, Hashable, Codable {
    case absent
    case present(title: String)

    var title: String? {
        if case .present(let title) = self { title } else { nil }
    }
}
