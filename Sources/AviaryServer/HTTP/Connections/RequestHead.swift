/// What a connection has to know about a request to find its end and to decide what becomes of the connection.
struct RequestHead: Equatable {
    enum Body: Equatable {
        case none
        case length(Int)
        case chunked
    }

    /// GET and HEAD change nothing: nobody misses them when the client has gone.
    var isRead = false
    /// HTTP/1.1, else HTTP/1.0.
    var isCurrent = true
    var body = Body.none
    /// Whether its address takes files.
    var isUpload = false
    var hosts = 0
    var asksToClose = false
    var asksToKeep = false
    var expectsContinue = false
    var asksToUpgrade = false

    /// In bytes.
    func bodyLimit(_ limits: ConnectionLimits) -> Int { isUpload ? limits.uploadSize : limits.bodySize }

    /// Whether the connection can serve another request after this one. One that asks for another protocol is answered
    /// in this one, and its parser stops there.
    var keepsConnection: Bool {
        !asksToClose && !asksToUpgrade && (isCurrent || asksToKeep)
    }
}
