/// A scanner that checks a request line and header fields as strictly as RFC 9112 permits, before any other parser
/// reads them.
///
/// Request smuggling depends on two parsers that read a request differently. The scanner therefore rejects
/// ambiguous requests: line ends are CRLF, only one field states the body's length, and there is one `Host` field.
///
/// It scans line by line, so that an error is rejected as soon as it arrives and a slow client causes no repeated
/// work.
struct RequestScanner {
    private let limits: ConnectionLimits
    private(set) var head = RequestHead()
    /// The start of the current incomplete line. `next` is the position at which the search for its end continues.
    private var line = 0
    private var next = 0
    private var isAtRequestLine = true
    private var fields = 0

    /// The greatest size of the method, the version and the spaces of a request line, in bytes.
    private static let lineOverhead = 64

    init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    /// Scans the bytes of a request's head.
    ///
    /// - Parameter bytes: All bytes that have arrived, from the beginning of the request.
    /// - Returns: The length of the head, or nil if the head is not complete.
    mutating func scan(_ bytes: Span<UInt8>) throws(ConnectionError) -> Int? {
        let end = min(bytes.count, limits.headSize)
        while next < end {
            guard bytes[next] == ByteClass.lineFeed else {
                next += 1
                continue
            }
            let content = try lineContent(bytes)
            next += 1
            line = next
            if content.isEmpty {
                if isAtRequestLine {
                    // RFC 9112, section 2.2: some clients send an extra line end after a form. The server accepts
                    // one.
                    guard content.lowerBound == 0 else { throw .malformed("it begins with empty lines") }
                    continue
                }
                try finish()
                return next
            }
            if isAtRequestLine {
                try readRequestLine(bytes, content)
                isAtRequestLine = false
            } else {
                fields += 1
                guard fields <= limits.fields else { throw .tooManyFields }
                try readField(bytes, content)
            }
        }
        try refuseTooLong(bytes)
        return nil
    }

    /// Returns the range of the line that ends here, without its CRLF.
    private func lineContent(_ bytes: Span<UInt8>) throws(ConnectionError) -> Range<Int> {
        guard next > line, bytes[next - 1] == ByteClass.carriageReturn else {
            throw .malformed("a line does not end with CR LF")
        }
        return line..<next - 1
    }

    /// Rejects an incomplete head as soon as it cannot become valid.
    private func refuseTooLong(_ bytes: Span<UInt8>) throws(ConnectionError) {
        if isAtRequestLine {
            // Another protocol, for example TLS, may never send a line end.
            if bytes.count > 0, !ByteClass.isToken(bytes[0]), bytes[0] != ByteClass.carriageReturn {
                throw .malformed("it does not begin with a method")
            }
            if bytes.count > limits.targetSize + Self.lineOverhead { throw .targetTooLong }
        }
        if bytes.count >= limits.headSize { throw .headTooLarge }
    }

    private mutating func readRequestLine(_ bytes: Span<UInt8>, _ content: Range<Int>) throws(ConnectionError) {
        var index = content.lowerBound
        while index < content.upperBound, ByteClass.isToken(bytes[index]) { index += 1 }
        let method = content.lowerBound..<index
        guard !method.isEmpty, index < content.upperBound, bytes[index] == ByteClass.space else {
            throw .malformed("it does not begin with a method")
        }
        index += 1
        let target = index
        while index < content.upperBound, ByteClass.isTarget(bytes[index]) { index += 1 }
        guard index - target <= limits.targetSize else { throw .targetTooLong }
        guard index > target, index < content.upperBound, bytes[index] == ByteClass.space else {
            throw .malformed("the target in the request line cannot be read")
        }
        head.isCurrent = try readVersion(bytes, index + 1..<content.upperBound)
        // The HTTP parser would treat the bytes after it as a tunnel.
        guard !bytes.equal(method, "connect") else { throw .malformed("this is no proxy") }
        let isOptions = bytes.equal(method, "options")
        guard
            bytes[target] == UInt8(ascii: "/")
                || isOptions && index - target == 1 && bytes[target] == UInt8(ascii: "*")
        else { throw .malformed("the target is not a path") }
        head.isRead = bytes.equal(method, "get") || bytes.equal(method, "head")
        head.isUpload = bytes.equal(method, "post") && isUploadPath(bytes, target..<index)
    }

    /// Returns whether the target is one of the paths that accept large bodies. The route then checks which form it
    /// is and who sends it.
    private func isUploadPath(_ bytes: Span<UInt8>, _ target: Range<Int>) -> Bool {
        var end = target.lowerBound
        while end < target.upperBound, bytes[end] != UInt8(ascii: "?") { end += 1 }
        for path in limits.uploadPaths where path.matches(bytes, target.lowerBound..<end) { return true }
        return false
    }

    /// Returns whether the version is HTTP/1.1.
    private func readVersion(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ConnectionError) -> Bool {
        let minor = range.upperBound - 1
        guard range.count == 8, bytes.equal(range.lowerBound..<minor, "http/1."),
            bytes[range.lowerBound] == UInt8(ascii: "H"),
            bytes[minor] == UInt8(ascii: "0") || bytes[minor] == UInt8(ascii: "1")
        else { throw .malformed("its version is neither HTTP/1.1 nor HTTP/1.0") }
        return bytes[minor] == UInt8(ascii: "1")
    }

    private func finish() throws(ConnectionError) {
        guard head.hosts == 1 else { throw .malformed("it needs one Host field") }
        if head.body == .chunked, !head.isCurrent { throw .malformed("HTTP/1.0 knows no Transfer-Encoding") }
        if case .length(let length) = head.body, length > head.bodyLimit(limits) { throw .bodyTooLarge }
    }

    // MARK: Fields

    private mutating func readField(_ bytes: Span<UInt8>, _ content: Range<Int>) throws(ConnectionError) {
        var index = content.lowerBound
        while index < content.upperBound, ByteClass.isToken(bytes[index]) { index += 1 }
        let name = content.lowerBound..<index
        // A space before the colon or at the beginning of the line (a folded field) is not part of a name either.
        guard !name.isEmpty, index < content.upperBound, bytes[index] == UInt8(ascii: ":") else {
            throw .malformed("a header field's name cannot be read")
        }
        index += 1
        let beginning = index
        while index < content.upperBound {
            guard ByteClass.isFieldValue(bytes[index]) else {
                throw .malformed("a header field has a control character")
            }
            index += 1
        }
        let value = bytes.trimmed(beginning..<content.upperBound)
        switch name.count {
        case 4 where bytes.equal(name, "host"): head.hosts += 1
        case 6 where bytes.equal(name, "expect"): head.expectsContinue = bytes.equal(value, "100-continue")
        case 7 where bytes.equal(name, "upgrade"): head.asksToUpgrade = true
        case 10 where bytes.equal(name, "connection"): readConnection(bytes, value)
        case 14 where bytes.equal(name, "content-length"): try setBody(.length(readLength(bytes, value)))
        case 17 where bytes.equal(name, "transfer-encoding"):
            guard bytes.equal(value, "chunked") else { throw .malformed("its Transfer-Encoding is not chunked") }
            try setBody(.chunked)
        default: break
        }
    }

    private mutating func setBody(_ body: RequestHead.Body) throws(ConnectionError) {
        guard head.body == .none else { throw .malformed("it tells the length of its body twice") }
        head.body = body
    }

    private func readLength(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(ConnectionError) -> Int {
        // A number of 18 digits always fits into an `Int`.
        guard !value.isEmpty, value.count <= 18 else { throw .malformed("its Content-Length cannot be read") }
        var length = 0
        for index in value {
            guard let digit = ByteClass.hexValue(bytes[index]), digit < 10 else {
                throw .malformed("its Content-Length cannot be read")
            }
            length = length * 10 + digit
        }
        return length
    }

    private mutating func readConnection(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        var start = value.lowerBound
        for index in value.lowerBound...value.upperBound
        where index == value.upperBound || bytes[index] == UInt8(ascii: ",") {
            let option = bytes.trimmed(start..<index)
            if bytes.equal(option, "close") { head.asksToClose = true }
            if bytes.equal(option, "keep-alive") { head.asksToKeep = true }
            start = index + 1
        }
    }
}

extension Span<UInt8> {
    /// Returns whether the bytes are equal to a word, ignoring ASCII case. The word is in lower case.
    fileprivate func equal(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            for (index, letter) in zip(range, word) where ByteClass.lowercased(self[index]) != letter { return false }
            return true
        }
    }

    fileprivate func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start] == ByteClass.space || self[start] == ByteClass.tab { start += 1 }
        while end > start, self[end - 1] == ByteClass.space || self[end - 1] == ByteClass.tab { end -= 1 }
        return start..<end
    }
}

/// The facts about a request that the connection needs to find its end and to decide whether it stays open.
struct RequestHead: Equatable {
    enum Body: Equatable {
        case none
        case length(Int)
        case chunked

        /// Returns whether the body may be complete before its request is forwarded.
        func isShort(_ limits: ConnectionLimits) -> Bool {
            switch self {
            case .none: false
            case .length(let length): length <= limits.shortBody
            case .chunked: true
            }
        }
    }

    /// Indicates whether the method is GET or HEAD. These requests change nothing, so their work can be cancelled
    /// when the client disconnects.
    var isRead = false
    /// Indicates whether the version is HTTP/1.1 rather than HTTP/1.0.
    var isCurrent = true
    var body = Body.none
    /// Indicates whether the request's address accepts files.
    var isUpload = false
    var hosts = 0
    var asksToClose = false
    var asksToKeep = false
    var expectsContinue = false
    var asksToUpgrade = false

    /// Returns the largest size of the body in bytes.
    func bodyLimit(_ limits: ConnectionLimits) -> Int { isUpload ? limits.uploadSize : limits.bodySize }

    /// Indicates whether the connection can serve another request after this one.
    ///
    /// The server answers a request to upgrade in HTTP/1.1, and its parser stops after such a request.
    var keepsConnection: Bool {
        !asksToClose && !asksToUpgrade && (isCurrent || asksToKeep)
    }
}

/// The classes of bytes that RFC 9110 and RFC 9112 distinguish.
enum ByteClass {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    // One bit per byte: "!#$%&'*+-.^_`|~", digits and letters.
    private static let tokenLow: UInt64 = 0x03FF_6CFA_0000_0000
    private static let tokenHigh: UInt64 = 0x57FF_FFFF_C7FF_FFFE

    /// Returns whether a byte is allowed in a method or in a field's name.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: tokenLow >> UInt64(byte) & 1 == 1
        case 64..<128: tokenHigh >> UInt64(byte - 64) & 1 == 1
        default: false
        }
    }

    /// Returns whether a byte is allowed in a field's value. A tab is the only control character that is allowed.
    @inline(__always)
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= space && byte != 0x7F || byte == tab
    }

    /// Returns whether a byte is allowed in a target. Bytes above ASCII are allowed, because people paste such
    /// addresses.
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool {
        byte > space && byte != 0x7F && byte != UInt8(ascii: "#")
    }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    static func hexValue(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
