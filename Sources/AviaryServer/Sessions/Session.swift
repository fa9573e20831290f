import AviaryDomain

/// What a browser's cookie says of who asks.
struct Session: Sendable, Hashable {
    enum State: Sendable, Hashable {
        /// Nobody; the session is there so that the form for signing in has a token.
        case anonymous
        case signedIn(Principal)
        /// It ran out. What it still sends is kept as a draft, and nothing else.
        case ended(Principal)
    }

    let token: SecretToken
    /// Whether it begins with this answer: no form can have its token yet.
    let isNew: Bool
    var state = State.anonymous

    static let none = Session(token: SecretToken(), isNew: true)

    static func begin(_ state: State = .anonymous, token: SecretToken = SecretToken()) -> Session {
        Session(token: token, isNew: true, state: state)
    }

    /// Continues the session that a cookie names.
    init?(cookie: String) {
        guard let token = SecretToken(cookie) else { return nil }
        self.token = token
        isNew = false
    }

    private init(token: SecretToken, isNew: Bool, state: State = .anonymous) {
        self.token = token
        self.isNew = isNew
        self.state = state
    }

    var id: [UInt8] { token.bytes }
    var cookieValue: String { token.text }

    /// Who is signed in; nil when nobody is.
    var principal: Principal? {
        if case .signedIn(let principal) = state { principal } else { nil }
    }
}
