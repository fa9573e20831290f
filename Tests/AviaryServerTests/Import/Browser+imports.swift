import Foundation
import NIOCore
import TestSupport
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
        var page = try await get(path)
        try await eventually("the import ends") {
            if page.header("Refresh").isEmpty { return true }
            #expect(page.body.contains("The file is imported."))
            page = try await get(path)
            return false
        }
        return page
    }
}
