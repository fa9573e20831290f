import Foundation

/// What processes did to the store's files and said in the ledger, in order, as the preloaded library recorded it.
struct Trace {
    enum File: UInt8, CaseIterable {
        case database = 0x64, log = 0x77, journal = 0x6A, sharedMemory = 0x6D, ledger = 0x6C

        /// Of the path, for those that must survive.
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
        /// In the file; of a flush, where the trace stood when it began.
        let offset: Int
        /// Where the trace had the record.
        let position: Int
        /// Of what was written.
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

    /// The ledger as it stood before the record.
    func ledgerText(before index: Int) -> Data {
        var text = Data()
        for record in records[..<index] where record.file == .ledger { text += bytes[record.data] }
        return text
    }

    /// Where each line of the ledger begins that the condition holds for.
    func lines(where condition: (Substring) -> Bool) -> [(record: Int, line: String)] {
        records.indices.filter { records[$0].file == .ledger }.compactMap { index in
            let line = String(decoding: bytes[records[index].data], as: UTF8.self)
            return condition(line[...]) ? (index, line) : nil
        }
    }
}
