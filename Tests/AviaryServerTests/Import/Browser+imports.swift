import Foundation
import NIOCore
import Testing

extension Browser {
    /// Uploads the file to be imported.
    func bring(_ text: String, to model: String = "animals") async throws -> Answer {
        let boundary = "----import", token = try await token()
        let body =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n\(token)\r\n"
            + "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\n\(text)\r\n--\(boundary)--\r\n"
        return try await send(
            "POST", "/admin/\(model)/import", headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"],
            body: ByteBuffer(string: body)
        )
    }

    /// Begins to import the file or to go on with it, and gives the page as it is when that has ended.
    func importing(_ path: String, _ form: Form) async throws -> Answer {
        let begun = try await post(path, form.with("csrf", try await token()))
        #expect(begun.status == 303 && begun.location == path)
        for _ in 0..<600 {
            let page = try await get(path)
            if page.header("Refresh").isEmpty { return page }
            #expect(page.body.contains("The file is imported."))
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("It never ended.")
        return begun
    }
}
