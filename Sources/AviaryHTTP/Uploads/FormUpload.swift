import AviaryDomain
import HTTPTypes
import Hummingbird
import NIOCore

/// A form with a file, read as it arrives.
///
/// The form's fields come first, then the file part by part. Little of the file is in memory, however large it is.
actor FormUpload {
    /// The routes that accept a file. All other routes read a small form as a whole.
    static let routes: Set<String> = ["/admin/backups/upload", "/admin/{model}/import"]

    /// The size of the request's body in bytes, or nil if the client did not state it.
    nonisolated let size: Int?
    private let body: RequestBody
    private let arriving: ArrivingBody
    private var iterator: RequestBody.AsyncIterator?
    private var parser: MultipartParser
    private var isInFile = false

    /// Creates an upload from a request and its arriving body.
    ///
    /// - Throws: ``RequestRefusal/malformedForm``.
    init(_ request: Request, _ arriving: ArrivingBody) throws(RequestRefusal) {
        do {
            parser = try MultipartParser(contentType: request.headers[.contentType] ?? "")
        } catch {
            throw .malformedForm
        }
        size = request.headers[.contentLength].flatMap { Int($0) }
        body = request.body
        self.arriving = arriving
    }

    static func isMultipart(_ request: Request) -> Bool {
        let type = request.headers[.contentType]?.prefix { $0 != ";" } ?? ""
        return type[...].trimmed.lowercased() == "multipart/form-data"
    }

    /// Returns the fields before the file, or all fields if the form has no file. Call this once, before
    /// ``next()``.
    ///
    /// - Throws: ``RequestRefusal/malformedForm``.
    func fields() async throws(RequestRefusal) -> [FormField] {
        var fields: [FormField] = []
        while true {
            switch try await event() {
            case .field(let field): fields.append(field)
            case .file:
                isInFile = true
                return fields
            case .bytes, .end: return fields
            }
        }
    }

    /// Returns the file's next bytes, or nil at its end if the form was complete.
    ///
    /// - Throws: ``RequestRefusal/malformedForm``.
    func next() async throws(RequestRefusal) -> [UInt8]? {
        while isInFile {
            switch try await event() {
            case .bytes(let bytes) where bytes.isEmpty: continue
            case .bytes(let bytes): return bytes
            case .field, .file: throw .malformedForm
            case .end: isInFile = false
            }
        }
        return nil
    }

    private func event() async throws(RequestRefusal) -> MultipartParser.Event {
        do {
            while true {
                if let event = try parser.next() {
                    if event == .end { try await readToEnd() }
                    return event
                }
                guard let bytes = try await read() else { throw MultipartParser.Malformed() }
                parser.append(bytes.readableBytesView)
            }
        } catch let refusal as RequestRefusal {
            throw refusal
        } catch {
            // This is also the error when the client has disconnected: nobody reads the answer then.
            throw .malformedForm
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
