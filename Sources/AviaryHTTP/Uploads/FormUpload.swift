import HTTPTypes
package import Hummingbird
import NIOCore

/// A form with a file, read as it arrives.
///
/// The form's fields come first, then the file part by part. Little of the file is in memory, however large it is.
package actor FormUpload {
    /// The size of the request's body in bytes, or nil if the client did not state it.
    package nonisolated let size: Int?
    private let body: RequestBody
    private let arriving: ArrivingBody
    private var iterator: RequestBody.AsyncIterator?
    private var parser: MultipartParser
    private var isInFile = false

    /// Creates an upload from a request and its arriving body.
    ///
    /// - Throws: ``FormUploadError/malformed``.
    package init(_ request: Request, _ arriving: ArrivingBody) throws(FormUploadError) {
        do {
            parser = try MultipartParser(contentType: request.headers[.contentType] ?? "")
        } catch {
            throw .malformed
        }
        size = request.headers[.contentLength].flatMap { Int($0) }
        body = request.body
        self.arriving = arriving
    }

    package static func isMultipart(_ request: Request) -> Bool {
        let type = request.headers[.contentType]?.prefix { $0 != ";" } ?? ""
        return type[...].trimmed.lowercased() == "multipart/form-data"
    }

    /// Returns the fields before the file, or all fields if the form has no file. Call this once, before
    /// ``next()``.
    ///
    /// - Throws: ``FormUploadError``.
    package func fields() async throws(FormUploadError) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        while true {
            switch try await event() {
            case .field(let name, let value): fields.append((name, value))
            case .file:
                isInFile = true
                return fields
            case .bytes, .end: return fields
            }
        }
    }

    /// The name of the file without folders, as the client sends it; nil before ``fields()`` has read up to the file.
    ///
    /// It is for messages only: it may have any characters, and several files may have the same name.
    package var fileName: String? {
        parser.fileName?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
    }

    /// Returns the file's next bytes, or nil at its end if the form was complete.
    ///
    /// - Throws: ``FormUploadError``.
    package func next() async throws(FormUploadError) -> [UInt8]? {
        while isInFile {
            switch try await event() {
            case .bytes(let bytes) where bytes.isEmpty: continue
            case .bytes(let bytes): return bytes
            case .field, .file: throw .malformed
            case .end: isInFile = false
            }
        }
        return nil
    }

    private func event() async throws(FormUploadError) -> MultipartParser.Event {
        do {
            while true {
                if let event = try parser.next() {
                    if event == .end { try await readToEnd() }
                    return event
                }
                guard let bytes = try await read() else { throw MultipartParser.Malformed() }
                parser.append(bytes.readableBytesView)
            }
        } catch is BodyIntake.Crowded {
            throw .crowded
        } catch {
            // This is also the error when the client has disconnected: nobody reads the answer then.
            throw .malformed
        }
    }

    /// Reads the rest of the body. Bytes after the end of the form are an error.
    private func readToEnd() async throws {
        while let bytes = try await read() {
            parser.append(bytes.readableBytesView)
            _ = try parser.next()
        }
        try arriving.complete()
    }

    private func read() async throws -> ByteBuffer? {
        var iterator = iterator ?? body.makeAsyncIterator()
        self.iterator = nil
        let bytes = try await iterator.next(isolation: #isolation)
        self.iterator = iterator
        // The caller writes the bytes to a disk as they arrive.
        if let bytes { try arriving.receive(bytes.readableBytes, isKept: false) }
        return bytes
    }
}

/// The reason why a form with a file cannot be read to its end.
package enum FormUploadError: Error {
    /// The form is not well formed, or the client disconnected before its end.
    case malformed
    /// The process has no room for more data.
    case crowded
}
