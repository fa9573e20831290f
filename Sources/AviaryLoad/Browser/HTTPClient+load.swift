import AsyncHTTPClient
import NIOCore

extension HTTPClient {
    /// How long a server may say nothing, before its answer or in the middle of it.
    static let patience = TimeAmount.seconds(10)

    /// A client that shows what happens on the wire: it follows nothing, repeats nothing and hides no lost connection. It has
    /// one connection, as one that has several would use the latest again and leave the others idle.
    static func forLoad(patience: TimeAmount = patience) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.timeout.connect = .seconds(2)
        configuration.timeout.read = patience
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        configuration.connectionPool.retryConnectionEstablishment = false
        // Well before a server ends it, which would look like a connection that was lost.
        configuration.connectionPool.idleTimeout = .seconds(30)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}
