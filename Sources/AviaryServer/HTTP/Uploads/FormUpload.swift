import AviaryDomain
import HTTPTypes
import Hummingbird
import NIOCore

/// A form with a file, as it arrives: first its fields, then the file part by part, so that little of it is in memory
/// however large it is.
actor FormUpload {
    /// The routes that take a file. Everywhere else a form is read whole, and a small one.
    static let routes: Set<String> = ["/admin/backups/upload", "/admin/{model}/import"]

    /// How much is sent with the file, in bytes; nil where the client did not say.
    nonisolated let size: Int?
    private let body: RequestBody
    private let arriving: ArrivingBody
    private var iterator: RequestBody.AsyncIterator?
    private var parser: MultipartParser
    private var isInFile = false

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

    /// The fields that stand before the file, or all where there is no file. To be asked once, and first.
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

    /// The file's next bytes; nil at its end, when the form was whole.
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
            // Also when the client has left: nobody reads the answer then.
            throw .malformedForm
        }
    }

    /// Nothing may follow the form.
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
        // Its bytes go to a disk as they come.
        if let bytes { try arriving.receive(bytes.readableBytes, isKept: false) }
        return bytes
    }
}
