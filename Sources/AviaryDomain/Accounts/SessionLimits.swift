package import Foundation

/// The limits of the duration of a session.
package struct SessionLimits: Sendable, Hashable {
    /// The duration without a request after which a session ends, in seconds. OWASP ASVS 5.0, 7.3.1, leaves the figure
    /// to the application.
    package var idle: TimeInterval = 8 * 3600
    /// However busy it is, in seconds: ASVS 7.3.2.
    package var absolute: TimeInterval = 7 * 86_400
    /// The time after the end of a session in which a submitted form is still kept as a draft, in seconds. After it,
    /// the session is forgotten.
    package var remembered: TimeInterval = 7 * 86_400
    /// The greatest age of a stored ``AccountSession/lastSeenAt`` before it is updated, in seconds.
    package var precision: TimeInterval = 60

    /// The smallest duration that ``idle`` and ``absolute`` can have: well above ``precision``.
    package static let shortest: TimeInterval = 300
    /// The greatest limits that a server can have. The store keeps a session until it is forgotten by these, so it need not
    /// know those of a server.
    package static let longest: SessionLimits = {
        var limits = SessionLimits()
        (limits.idle, limits.absolute) = (7 * 86_400, 30 * 86_400)
        return limits
    }()

    package init() {}

    package func isOver(_ session: AccountSession, at now: Date) -> Bool {
        now.timeIntervalSince(session.lastSeenAt) > idle || now.timeIntervalSince(session.beganAt) > absolute
            // A clock that was set back must not make a session last longer than it may.
            || session.beganAt.timeIntervalSince(now) > absolute
    }

    package func isForgotten(_ session: AccountSession, at now: Date) -> Bool {
        now.timeIntervalSince(session.lastSeenAt) > idle + remembered
            || now.timeIntervalSince(session.beganAt) > absolute + remembered
    }

    package func isDue(_ session: AccountSession, at now: Date) -> Bool {
        abs(now.timeIntervalSince(session.lastSeenAt)) > precision
    }
}
