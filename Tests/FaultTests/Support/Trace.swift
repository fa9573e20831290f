import Foundation

/// The writes of processes to the store's files and to the ledger, in order, as the preloaded library recorded them.
struct Trace {
    enum File: UInt8, CaseIterable {
        case database = 0x64, log = 0x77, journal = 0x6A, sharedMemory = 0x6D, ledger = 0x6C

        /// The suffix of the paths of files that must survive.
        var suffix: String {
            switch self {
            case .log: "-wal"
            case .journal: "-journal"
            default: ""
            }
        }
    }

    enum Kind: UInt8 {
        case written = 0x57, truncated = 0x54, unlinked = 0x55, flushed = 0x53, notFlushed = 0x46, refused = 0x45
    }

    struct Record {
        let kind: Kind
        let file: File
        /// The offset in the file; for a flush, the position in the trace at which it began.
        let offset: Int
        /// The offset of the record in the trace.
        let position: Int
        /// The range of the written bytes in the trace.
        let data: Range<Int>
    }

    struct Damaged: Error {
        let position: Int
    }

    private static let headLength = 16
    let bytes: Data
    let records: [Record]

    init(path: String) throws {
        bytes = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
        var records: [Record] = []
        try bytes.withUnsafeBytes { bytes in
            var position = 0
            while position + Self.headLength <= bytes.count {
                let length = Int(bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self))
                let end = position + Self.headLength + length
                guard let kind = Kind(rawValue: bytes[position]), let file = File(rawValue: bytes[position + 1]),
                    end <= bytes.count
                else { throw Damaged(position: position) }
                records.append(
                    Record(
                        kind: kind, file: file,
                        offset: Int(bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)),
                        position: position, data: position + Self.headLength..<end
                    ))
                position = end
            }
        }
        self.records = records
    }

    func count(_ kind: Kind, _ files: File...) -> Int {
        records.count { $0.kind == kind && (files.isEmpty || files.contains($0.file)) }
    }

    /// Returns the ledger before the record.
    func ledgerText(before index: Int) -> Data {
        var text = Data()
        for record in records[..<index] where record.file == .ledger { text += bytes[record.data] }
        return text
    }

    /// Returns the lines of the ledger that satisfy the condition, with the indexes of their records.
    func lines(where condition: (Substring) -> Bool) -> [(record: Int, line: String)] {
        records.indices.filter { records[$0].file == .ledger }.compactMap { index in
            let line = String(decoding: bytes[records[index].data], as: UTF8.self)
            return condition(line[...]) ? (index, line) : nil
        }
    }
}

extension Trace {
    /// Returns the acknowledgements that no flush of the log precedes, so that a power loss would revert them.
    func prematureAcknowledgements() -> [String] {
        var written: [String: Int] = [:]
        var flushed = Set<String>()
        var premature: [String] = []
        for record in records {
            switch (record.kind, record.file) {
            case (.written, .log):
                for id in changeSets(in: record.data) where !flushed.contains(id) && written[id] == nil {
                    written[id] = record.position
                }
            case (.flushed, .log):
                for (id, position) in written where position < record.offset { flushed.insert(id) }
                written = written.filter { !flushed.contains($0.key) }
            case (.notFlushed, .log):
                // A later call does not flush writes that the kernel may have dropped.
                written = written.filter { $0.value >= record.offset }
            case (.written, .ledger):
                let line = String(decoding: bytes[record.data], as: UTF8.self)
                let words = line.split(separator: " ")
                guard words.first == "acknowledged", words.count > 2, let caller = Int(words[1]),
                    let step = Int(words[2])
                else { continue }
                if !flushed.contains(Self.key(caller, step)) { premature.append(line) }
            default: break
            }
        }
        return premature
    }

    /// Returns the change sets whose ids are in the page, as in the row of a receipt.
    private func changeSets(in range: Range<Int>) -> [String] {
        var keys: [String] = []
        bytes.withUnsafeBytes { bytes in
            var page = UnsafeRawBufferPointer(rebasing: bytes[range])
            while let id = page.found(Self.mark) {
                page = UnsafeRawBufferPointer(rebasing: page[(id + Self.mark.count)...])
                // The rest of the id: -0000-7000-8000-ccccssssssss
                guard page.count >= 27 else { break }
                let digits = String(decoding: page[15..<27], as: UTF8.self)
                guard let caller = Int(digits.prefix(4), radix: 16), let step = Int(digits.suffix(8), radix: 16) else {
                    continue
                }
                keys.append(Self.key(caller, step))
            }
        }
        return keys
    }

    /// The prefix of the driver's ids of change sets.
    private static let mark = Array("fa175e01-".utf8)

    private static func key(_ caller: Int, _ step: Int) -> String { "\(caller).\(step)" }
}

extension UnsafeRawBufferPointer {
    /// Returns the offset of the pattern. The search is in C, which is fast even without optimization.
    fileprivate func found(_ pattern: [UInt8]) -> Int? {
        guard let base = baseAddress, let first = pattern.first else { return nil }
        var start = 0
        while start + pattern.count <= count,
            let candidate = memchr(base + start, Int32(first), count - start - pattern.count + 1)
        {
            start = UnsafeRawPointer(candidate) - base
            if memcmp(candidate, pattern, pattern.count) == 0 { return start }
            start += 1
        }
        return nil
    }
}
