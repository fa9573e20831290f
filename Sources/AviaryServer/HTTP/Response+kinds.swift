import AviaryDesign
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    static func html(_ html: HTML, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: html.bytes))
        )
    }

    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        guard let data = try? encoder.encode(value) else {  // only plain texts, numbers and lists are answered
            return Response(status: .internalServerError)
        }
        return Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }

    /// After a form: the browser goes on with a GET.
    static func seeOther(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path])
    }

    /// Where the page goes on, as a script can read it: of a redirect that it follows it does not learn the address.
    func told(to request: Request) -> Response {
        guard status == .seeOther, request.wantsJSON, let address = headers[.location] else { return self }
        var answer = Response.json(["location": address])
        for cookie in headers[values: .setCookie] { answer.headers.append(HTTPField(name: .setCookie, value: cookie)) }
        return answer
    }

    static let noContent = Response(status: .noContent)

    /// A page that shows itself anew every two seconds, also where no script runs, until there is nothing to wait for.
    func shownAnew(while isWorking: Bool) -> Response {
        guard isWorking, let refresh = HTTPField.Name("Refresh") else { return self }
        var response = self
        response.headers[refresh] = "2"
        return response
    }
}

extension Request {
    var wantsJSON: Bool {
        headers[.accept]?.contains("application/json") == true || isFetch
    }

    /// Our own script asks, not a person: the answer is a status, not a page.
    var isFetch: Bool {
        HTTPField.Name("X-Requested-With").flatMap { headers[$0] } == "fetch"
    }
}

extension Response {
    static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
