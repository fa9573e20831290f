import ArgumentParser

/// Whether the store keeps what changed. Who committed and when it keeps in any case.
enum History: String, CaseIterable, ExpressibleByArgument {
    case on
    case off
}
