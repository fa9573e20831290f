import Foundation

/// The terminal that a server was started on, if it was.
struct ControllingTerminal: Sendable {
    private let descriptors: [CInt]

    init() {
        descriptors = (0...2).filter { isatty($0) == 1 }
    }

    /// Whether it was closed since. The SIGHUP that comes of it ends a server.
    var hasHungUp: Bool {
        descriptors.contains { descriptor in
            var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&waiting, 1, 0) > 0 && waiting.revents & Int16(POLLHUP) != 0
        }
    }
}
