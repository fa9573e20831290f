import AsyncHTTPClient
import NIOCore

extension HTTPClient {
    /// A client that shows what happens on the wire: it follows nothing, repeats nothing and hides no lost connection.
    static func forLoad(connections: Int) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.timeout.connect = .seconds(2)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}
