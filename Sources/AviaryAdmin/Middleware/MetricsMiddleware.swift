import AviaryHTTP
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// A middleware that counts requests, measures their time and, with an access log, writes a line for each.
struct MetricsMiddleware: RouterMiddleware {
    typealias Context = AdminRequestContext

    let metrics: HTTPMetrics
    /// The access log; nil when there is none.
    let accessLog: Logger?
    var clients = ClientAddresses(trustedProxies: [])

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let began = ContinuousClock.now
        metrics.began()
        var status = HTTPResponse.Status.internalServerError.code
        var size: Int?
        defer {
            let duration = ContinuousClock.now - began
            metrics.ended(route: context.route, method: request.method, status: status, after: duration)
            accessLog?.info(
                "request",
                metadata: [
                    "client": "\(client(of: request, context)?.description ?? "-")",
                    "method": "\(request.method)", "route": "\(context.route)",
                    "status": .stringConvertible(status),
                    "ms": .stringConvertible((duration.milliseconds * 1000).rounded() / 1000),
                    "bytes": size.map(Logger.MetadataValue.stringConvertible) ?? "-", "request": "\(context.id)",
                ])
        }
        let response = try await next(request, context)
        (status, size) = (response.status.code, response.body.contentLength)
        return response
    }

    private func client(of request: Request, _ context: Context) -> IPAddress? {
        clients.client(of: request, peer: context.peer?.ipAddress.flatMap(IPAddress.init))
    }
}
