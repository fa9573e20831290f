/// What one process may have under way with the store.
package struct ClientLimits: Sendable {
    package var requests = 1024
    package var bytes = 64 * 1024 * 1024
    /// As the server's: a larger one it would not read.
    package var largestFormFrame = 16 * 1024 * 1024
    package var largestFrame = 256 * 1024 * 1024
    /// Within which a store that took the connection must have greeted.
    package var handshake: Duration = .seconds(10)
    /// How long a refusal is taken for the answer to everything, before the store is asked again.
    package var refusalPause: Duration = .seconds(1)
    /// How often a request is sent again after its connection was lost.
    package var repeats = 2
    package var pauseBeforeRepeat: Duration = .milliseconds(20)
    /// How much longer an answer is waited for: the store may have begun just before the deadline.
    package var grace: Duration = .milliseconds(500)

    package init() {}
}
