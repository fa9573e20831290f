import ArgumentParser

/// How a line of the log is written.
enum LogFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// For people.
    case text
    /// One JSON object, for programs.
    case json
}
