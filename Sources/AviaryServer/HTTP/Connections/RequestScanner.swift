/// Reads a request line and header fields as strictly as RFC 9112 lets a server be, before any other parser sees them.
///
/// Two parsers that understand a request differently are what request smuggling lives on. So nothing that could be
/// understood in two ways is passed on: line ends are CRLF, there is one way to tell a body's length, and one `Host`.
/// Line by line, so that what is wrong is refused when it arrives and a dripping client costs no work twice.
struct RequestScanner {
    private let limits: ConnectionLimits
    private(set) var head = RequestHead()
    /// Where the line begins that is not complete yet, and where to go on looking for its end.
    private var line = 0
    private var next = 0
    private var isAtRequestLine = true
    private var fields = 0

    /// Longest method, version and spaces that a request line may have beside its target.
    private static let lineOverhead = 64

    init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    /// - Parameter bytes: what has arrived, from the beginning of the request.
    /// - Returns: how long the head is, or nil while it is not complete.
    mutating func scan(_ bytes: Span<UInt8>) throws(ConnectionRefusal) -> Int? {
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
                    // RFC 9112, section 2.2: some clients end a form with a line end too many. One.
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

    /// The line that ends here, without its CRLF.
    private func lineContent(_ bytes: Span<UInt8>) throws(ConnectionRefusal) -> Range<Int> {
        guard next > line, bytes[next - 1] == ByteClass.carriageReturn else {
            throw .malformed("a line does not end with CR LF")
        }
        return line..<next - 1
    }

    /// A head that cannot become right any more is refused before its end.
    private func refuseTooLong(_ bytes: Span<UInt8>) throws(ConnectionRefusal) {
        if isAtRequestLine {
            // Another protocol, TLS for one, may never send a line end.
            if bytes.count > 0, !ByteClass.isToken(bytes[0]), bytes[0] != ByteClass.carriageReturn {
                throw .malformed("it does not begin with a method")
            }
            if bytes.count > limits.targetSize + Self.lineOverhead { throw .targetTooLong }
        }
        if bytes.count >= limits.headSize { throw .headTooLarge }
    }

    private mutating func readRequestLine(_ bytes: Span<UInt8>, _ content: Range<Int>) throws(ConnectionRefusal) {
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
        // Its parser would take what follows for a tunnel.
        guard !bytes.equal(method, "connect") else { throw .malformed("this is no proxy") }
        let isOptions = bytes.equal(method, "options")
        guard
            bytes[target] == UInt8(ascii: "/")
                || isOptions && index - target == 1 && bytes[target] == UInt8(ascii: "*")
        else { throw .malformed("the target is not a path") }
        head.isRead = bytes.equal(method, "get") || bytes.equal(method, "head")
        head.isUpload = bytes.equal(method, "post") && bytes.isAddressForFiles(target..<index)
    }

    /// Whether it is 1.1.
    private func readVersion(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ConnectionRefusal) -> Bool {
        let minor = range.upperBound - 1
        guard range.count == 8, bytes.equal(range.lowerBound..<minor, "http/1."),
            bytes[range.lowerBound] == UInt8(ascii: "H"),
            bytes[minor] == UInt8(ascii: "0") || bytes[minor] == UInt8(ascii: "1")
        else { throw .malformed("its version is neither HTTP/1.1 nor HTTP/1.0") }
        return bytes[minor] == UInt8(ascii: "1")
    }

    private func finish() throws(ConnectionRefusal) {
        guard head.hosts == 1 else { throw .malformed("it needs one Host field") }
        if head.body == .chunked, !head.isCurrent { throw .malformed("HTTP/1.0 knows no Transfer-Encoding") }
        if case .length(let length) = head.body, length > head.bodyLimit(limits) { throw .bodyTooLarge }
    }

    // MARK: Fields

    private mutating func readField(_ bytes: Span<UInt8>, _ content: Range<Int>) throws(ConnectionRefusal) {
        var index = content.lowerBound
        while index < content.upperBound, ByteClass.isToken(bytes[index]) { index += 1 }
        let name = content.lowerBound..<index
        // A space before the colon or at the beginning of the line (a folded field) is no part of a name either.
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

    private mutating func setBody(_ body: RequestHead.Body) throws(ConnectionRefusal) {
        guard head.body == .none else { throw .malformed("it tells the length of its body twice") }
        head.body = body
    }

    private func readLength(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(ConnectionRefusal) -> Int {
        // Eighteen digits always fit.
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
    /// Whether the bytes are this word, in any case. The word is given in lower case.
    fileprivate func equal(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            for (index, letter) in zip(range, word) where ByteClass.lowercased(self[index]) != letter { return false }
            return true
        }
    }

    /// Only where a body may be large; which form it is, and whose, its route finds out.
    fileprivate func isAddressForFiles(_ target: Range<Int>) -> Bool {
        var end = target.lowerBound
        while end < target.upperBound, self[end] != UInt8(ascii: "?") { end += 1 }
        let path = target.lowerBound..<end
        if equal(path, "/admin/backups/upload") { return true }
        return path.count > 14 && equal(path.lowerBound..<path.lowerBound + 7, "/admin/")
            && equal(path.upperBound - 7..<path.upperBound, "/import")
    }

    fileprivate func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, self[start] == ByteClass.space || self[start] == ByteClass.tab { start += 1 }
        while end > start, self[end - 1] == ByteClass.space || self[end - 1] == ByteClass.tab { end -= 1 }
        return start..<end
    }
}

/// What a connection has to know about a request to find its end and to decide what becomes of the connection.
struct RequestHead: Equatable {
    enum Body: Equatable {
        case none
        case length(Int)
        case chunked
    }

    /// GET and HEAD change nothing: nobody misses them when the client has gone.
    var isRead = false
    /// HTTP/1.1, else HTTP/1.0.
    var isCurrent = true
    var body = Body.none
    /// Whether its address takes files.
    var isUpload = false
    var hosts = 0
    var asksToClose = false
    var asksToKeep = false
    var expectsContinue = false
    var asksToUpgrade = false

    /// In bytes.
    func bodyLimit(_ limits: ConnectionLimits) -> Int { isUpload ? limits.uploadSize : limits.bodySize }

    /// Whether the connection can serve another request after this one. One that asks for another protocol is answered
    /// in this one, and its parser stops there.
    var keepsConnection: Bool {
        !asksToClose && !asksToUpgrade && (isCurrent || asksToKeep)
    }
}

/// The kinds of bytes that RFC 9110 and 9112 tell apart.
enum ByteClass {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    // One bit a byte: "!#$%&'*+-.^_`|~", digits and letters.
    private static let tokenLow: UInt64 = 0x03FF_6CFA_0000_0000
    private static let tokenHigh: UInt64 = 0x57FF_FFFF_C7FF_FFFE

    /// Whether it may stand in a method or in a field's name.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: tokenLow >> UInt64(byte) & 1 == 1
        case 64..<128: tokenHigh >> UInt64(byte - 64) & 1 == 1
        default: false
        }
    }

    /// Whether it may stand in a field's value: no control character but a tab.
    @inline(__always)
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= space && byte != 0x7F || byte == tab
    }

    /// Whether it may stand in a target. Bytes above ASCII are let pass: people paste them.
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
