import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Serves requests on a free port while `body` runs.
func serving<Value: Sendable, Context: RequestContext & InitializableFromSource<ApplicationRequestContextSource>>(
    _ router: Router<Context>, _ body: @escaping @Sendable (_ origin: String) async throws -> Value
) async throws -> Value {
    let (ports, portsEnd) = AsyncStream<Int>.makeStream()
    let application = Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { portsEnd.yield($0.localAddress?.port ?? 0) }
    )
    return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask {
            try await application.run()
            return nil
        }
        group.addTask {
            for await port in ports { return try await body("http://127.0.0.1:\(port)") }
            return nil
        }
        while let value = try await group.next() {
            if let value {
                group.cancelAll()
                return value
            }
        }
        throw CancellationError()
    }
}

extension Response {
    init(status: Int, page: String, headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = "text/html"
        self.init(
            status: .init(code: status), headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }
}

extension Request {
    /// The fields of the form in the request.
    var decodedForm: [String: String] {
        get async throws { AviaryLoadTests.decodedForm(String(buffer: try await body.collect(upTo: 1 << 20))) }
    }
}

func decodedForm(_ text: String) -> [String: String] {
    let pairs = text.split(separator: "&").map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
            $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? ""
        }
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }
    return Dictionary(pairs, uniquingKeysWith: { _, last in last })
}
