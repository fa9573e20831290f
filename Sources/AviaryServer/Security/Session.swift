import AviaryDomain

/// A browser's session. Until accounts exist it has one purpose: CSRF tokens are bound to it.
struct Session: Sendable, Hashable {
    /// 128 random bits.
    let id: [UInt8]
    let isNew: Bool

    static let none = Session(id: [], isNew: true)
    /// The built-in admin.
    static let user = "local"

    static func begin() -> Session {
        Session(id: (0..<16).map { _ in UInt8.random(in: .min ... .max) }, isNew: true)
    }

    /// Continues the session that a cookie names.
    init?(cookie: String) {
        guard let id = Base64URL.decode(cookie), id.count == 16 else { return nil }
        self.id = id
        isNew = false
    }

    private init(id: [UInt8], isNew: Bool) {
        self.id = id
        self.isNew = isNew
    }

    var cookieValue: String { Base64URL.encode(id) }
}
