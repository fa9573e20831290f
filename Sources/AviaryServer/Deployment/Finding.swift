/// One thing that `check` looked at, and what to do about it.
struct Finding: Sendable, Hashable, Encodable {
    enum Level: String, Sendable, Encodable {
        case ok
        /// Somebody should look, and may have a reason.
        case warning
        /// Nobody should serve like this.
        case danger
    }

    /// A name that programs can rely on.
    let check: String
    let level: Level
    let text: String
    /// What to do next; nil where nothing is to be done.
    let advice: String?

    static func ok(_ check: String, _ text: String) -> Finding {
        Finding(check: check, level: .ok, text: text, advice: nil)
    }

    static func warning(_ check: String, _ text: String, _ advice: String) -> Finding {
        Finding(check: check, level: .warning, text: text, advice: advice)
    }

    static func danger(_ check: String, _ text: String, _ advice: String) -> Finding {
        Finding(check: check, level: .danger, text: text, advice: advice)
    }
}
