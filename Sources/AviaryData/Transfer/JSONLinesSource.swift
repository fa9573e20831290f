import AviaryDomain

/// A source of a file with one JSON object per line, whose names are the columns.
struct JSONLinesSource: ImportSource {
    /// The maximum number of columns, more than any model has properties.
    static let columnLimit = CSVReader.fieldLimit

    let hasLinksOnBothSides = true
    let limits: ImportLimits
    let open: @Sendable () throws -> any ByteSource

    /// Returns all names in the file, in the order of their first appearance.
    ///
    /// - Throws: ``ImportError/lines(_:more:wrong:)`` with the first problem if no line has a name.
    func columns() throws -> [String] {
        var lines = JSONLines(try open(), limits)
        var columns: [String] = []
        var known: Set<String> = []
        var problem: LineError?
        while let result = try lines.next() {
            switch result {
            case .success(let line):
                if known.count + line.members.count > Self.columnLimit {
                    let new = line.members.count { !known.contains($0.0) }
                    guard known.count + new <= Self.columnLimit else { throw Self.tooManyNames(on: line.number) }
                }
                if line.members.isEmpty, problem == nil {
                    problem = LineError(line: line.number, message: localized("This object is empty."))
                }
                for (name, _) in line.members where known.insert(name).inserted {
                    columns.append(name)
                }
            // If other lines are valid, the import reports this one when it reads it.
            case .failure(let failure): problem = problem ?? failure
            }
        }
        guard columns.isEmpty else { return columns }
        throw problem.map { ImportError.lines([$0], more: 0) } ?? .emptyFile
    }

    private static func tooManyNames(on line: Int) -> ImportError {
        .lines(
            [
                LineError(
                    line: line,
                    message: localized(
                        "Up to this line the file has more than \(columnLimit) different names, more than any model has properties."
                    ))
            ], more: 0)
    }

    func records() throws -> any ImportReader {
        Reader(lines: JSONLines(try open(), limits), columns: try columns())
    }

    private struct Reader: ImportReader {
        var lines: JSONLines
        let columns: [String]
        /// The members of the last object; nil when it was not well-formed.
        private var last: [(String, ImportCell)]?

        init(lines: JSONLines, columns: [String]) {
            self.lines = lines
            self.columns = columns
        }

        mutating func next() throws -> Result<ImportRecord, LineError>? {
            last = nil
            switch try lines.next() {
            case .success(let line):
                last = line.members
                let cells = Dictionary(line.members, uniquingKeysWith: { first, _ in first })
                return .success(ImportRecord(line: line.number, cells: columns.map { cells[$0] ?? .missing }))
            case .failure(let problem): return .failure(problem)
            case nil: return nil
            }
        }

        var rejectionHeader: [UInt8] { [] }

        func rejection(because reason: String) -> [UInt8] {
            // A line that is no object has no place for a problem.
            guard let last else { return Array(lines.lastLine) + [10] }
            var json = JSONWriter()
            json.raw("{")
            json.text(RejectedRecords.column)
            json.raw(":")
            json.text(reason)
            for (name, cell) in last where name != RejectedRecords.column {
                json.raw(",")
                json.text(name)
                json.raw(":")
                switch cell {
                case .missing, .none: json.raw("null")
                case .text(let text): json.text(text)
                case .cell(let text), .json(let text): json.raw(Array(text.utf8))
                }
            }
            json.raw("}\n")
            return json.bytes
        }
    }
}

/// A reader of the objects in a file, line by line.
struct JSONLines {
    struct Line {
        let number: Int
        let members: [(String, ImportCell)]
    }

    private let source: any ByteSource
    private let limits: ImportLimits
    private var buffer: [UInt8] = []
    private var start = 0
    private var number = 0
    private var isAtEnd = false
    private var lastRange = 0..<0

    /// The bytes of the line that ``next()`` returned last, or whose problem it returned, without the line break.
    var lastLine: ArraySlice<UInt8> { buffer[lastRange.clamped(to: 0..<buffer.count)] }

    init(_ source: any ByteSource, _ limits: ImportLimits) {
        self.source = source
        self.limits = limits
    }

    /// Returns the next line that is not blank; nil at the end.
    mutating func next() throws -> Result<Line, LineError>? {
        while let range = nextLine() {
            lastRange = range
            guard range.count <= limits.recordSize else {
                end()
                return .failure(
                    LineError(line: number, message: localized("This line is too long for a record.")))
            }
            let isBlank = buffer[range].allSatisfy { $0 == 32 || $0 == 9 || $0 == 13 }
            if !isBlank { return object(in: range) }
        }
        if let failure = source.failure { throw failure }
        return nil
    }

    /// Stops reading.
    private mutating func end() {
        isAtEnd = true
        start = buffer.count
    }

    private mutating func nextLine() -> Range<Int>? {
        if start > 1 << 16 {
            buffer.removeFirst(start)
            start = 0
        }
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                defer { start = end + 1 }
                number += 1
                return (start + (number == 1 ? markLength : 0))..<end
            }
            searched = buffer.count
            guard !isAtEnd, buffer.count - start <= limits.recordSize else { break }
            let more = source.next()
            isAtEnd = more.isEmpty
            buffer += more
        }
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        number += 1
        return (start + (number == 1 ? markLength : 0))..<buffer.count
    }

    /// The length of the byte order mark, in bytes.
    private var markLength: Int { buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    private mutating func object(in range: Range<Int>) -> Result<Line, LineError> {
        var reader = JSONReader(buffer, in: range, mostValues: limits.values)
        var members: [(String, ImportCell)] = []
        do {
            try reader.object { name, reader in
                guard members.count < JSONLinesSource.columnLimit, name.utf8.count <= CSVReader.nameLimit else {
                    throw NameLimitError()
                }
                members.append((name, try reader.cell()))
            }
            try reader.finish()
            return .success(Line(number: number, members: members))
        } catch JSONError.tooManyValues {
            // Each further line of this kind would take as long.
            end()
            return .failure(
                LineError(
                    line: number,
                    message: localized(
                        "This line has more than \(limits.values) values. The lines after it aren’t read. Use the import command for this file."
                    )))
        } catch is NameLimitError {
            return .failure(
                LineError(
                    line: number,
                    message: localized(
                        "This object has more than \(JSONLinesSource.columnLimit) names, or a name longer than \(CSVReader.nameLimit) bytes."
                    )))
        } catch {
            let problem = "\(error)"
            let advice =
                (error as? JSONError) == .ended
                ? " " + localized("Put each object on one line, as `jq -c .` does.") : ""
            return .failure(
                LineError(line: number, message: localized("This is not a JSON object: \(problem)") + advice))
        }
    }
}

/// An error of an object that cannot be a record of any model.
private struct NameLimitError: Error {}

extension JSONReader {
    fileprivate mutating func cell() throws -> ImportCell {
        switch try start() {
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "n"):
            try literal("null")
            return .none
        default:
            let first = position
            try skip()
            return .json(String(decoding: bytes[first..<position], as: UTF8.self))
        }
    }
}
