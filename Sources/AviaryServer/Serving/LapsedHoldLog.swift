import Logging

/// Tells whoever runs the server that writes waited for a restore which was not heard of any more.
struct LapsedHoldLog: Sendable {
    let logger: Logger

    func tell(_ duration: Duration) {
        logger.warning(
            "writes were held for a restore that did not release them, and go on",
            metadata: [
                "seconds": .stringConvertible(duration.components.seconds)
            ])
    }
}
