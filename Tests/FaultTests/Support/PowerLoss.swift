import Foundation

/// The disk after a power loss: all flushed writes, and a random part of the others. Files are created and removed in
/// order, as on journaling file systems, but their contents are written in any order.
struct PowerLoss {
    /// The contents of a disk.
    struct Image {
        static let empty = Image(files: [:])
        fileprivate let files: [Trace.File: [UInt8]]
    }

    private struct Pending {
        let record: Trace.Record
        /// Indicates that a flush of the write failed, so that the kernel may have dropped the write.
        var isDoomed = false
        /// The sectors that were written again and flushed since.
        var superseded: [Range<Int>] = []

        func isSuperseded(_ sector: Int) -> Bool { superseded.contains { $0.contains(sector) } }
    }

    private static let sectorSize = 512

    private let trace: Trace
    private var next = 0
    private var durable: [Trace.File: [UInt8]]
    private var pending: [Trace.File: [Pending]] = [:]

    /// - Parameter image: The contents of the disk at the start of the trace.
    init(_ trace: Trace, on image: Image = .empty) {
        self.trace = trace
        durable = image.files
    }

    /// Advances to the moment before the record.
    mutating func advance(to index: Int) {
        while next < index {
            let record = trace.records[next]
            next += 1
            guard record.file != .ledger, record.file != .sharedMemory else { continue }
            switch record.kind {
            case .written, .truncated: pending[record.file, default: []].append(Pending(record: record))
            case .unlinked:
                durable[record.file] = nil
                pending[record.file] = nil
            case .flushed: flush(record)
            case .notFlushed:
                for index in (pending[record.file] ?? []).indices { pending[record.file]?[index].isDoomed = true }
            case .refused: break
            }
        }
    }

    private mutating func flush(_ flush: Trace.Record) {
        var file = durable[flush.file] ?? []
        var rest: [Pending] = []
        for operation in pending[flush.file] ?? [] {
            guard !operation.isDoomed, operation.record.position < flush.offset else {
                rest.append(operation)
                continue
            }
            let flushed = Self.sectors(of: operation.record)
            // A sector is flushed as it is in memory, including earlier writes whose flush failed.
            for index in rest.indices {
                let doomed = rest[index]
                apply(doomed.record, to: &file) { flushed.contains($0) && !doomed.isSuperseded($0) }
                rest[index].superseded.append(flushed)
            }
            apply(operation.record, to: &file)
        }
        durable[flush.file] = file
        pending[flush.file] = rest
    }

    private static func sectors(of record: Trace.Record) -> Range<Int> {
        let first = record.offset / sectorSize
        guard record.kind == .written else { return first..<Int.max }
        return first..<(record.offset + record.data.count + sectorSize - 1) / sectorSize
    }

    /// Writes the files of one possible outcome. A sector is written whole or not at all.
    func leave(_ path: String, keeping share: Double, using generator: inout some RandomNumberGenerator) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in Trace.File.allCases {
            guard durable[file] != nil || pending[file] != nil else { continue }
            var bytes = durable[file] ?? []
            for operation in pending[file] ?? [] {
                let luck = Double.random(in: 0..<1, using: &generator)
                // Half of the writes may be torn. The others are complete or lost.
                let isTorn = Bool.random(using: &generator)
                apply(operation.record, to: &bytes) { sector in
                    guard !operation.isSuperseded(sector) else { return false }
                    return (isTorn ? Double.random(in: 0..<1, using: &generator) : luck) < share
                }
            }
            try Data(bytes).write(to: URL(filePath: path + file.suffix))
        }
    }

    private func apply(_ record: Trace.Record, to file: inout [UInt8]) {
        if record.kind == .truncated {
            file.resize(to: record.offset)
        } else {
            copy(record.data, to: record.offset, of: &file)
        }
    }

    private func apply(_ record: Trace.Record, to file: inout [UInt8], sector isKept: (Int) -> Bool) {
        if record.kind == .truncated {
            if isKept(record.offset / Self.sectorSize) { file.resize(to: record.offset) }
            return
        }
        var start = record.data.lowerBound
        while start < record.data.upperBound {
            let offset = record.offset + start - record.data.lowerBound
            let end = min(start + Self.sectorSize - offset % Self.sectorSize, record.data.upperBound)
            if isKept(offset / Self.sectorSize) { copy(start..<end, to: offset, of: &file) }
            start = end
        }
    }

    private func copy(_ data: Range<Int>, to offset: Int, of file: inout [UInt8]) {
        if file.count < offset + data.count { file.resize(to: offset + data.count) }
        trace.bytes.withUnsafeBytes { source in
            file.withUnsafeMutableBytes { target in
                UnsafeMutableRawBufferPointer(rebasing: target[offset...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[data]))
            }
        }
    }
}

extension PowerLoss.Image {
    init(of path: String) throws {
        var files: [Trace.File: [UInt8]] = [:]
        for file in [Trace.File.database, .log, .journal]
        where FileManager.default.fileExists(atPath: path + file.suffix) {
            files[file] = [UInt8](try Data(contentsOf: URL(filePath: path + file.suffix)))
        }
        self.init(files: files)
    }
}

extension [UInt8] {
    fileprivate mutating func resize(to size: Int) {
        if size < count { removeLast(count - size) } else { append(contentsOf: repeatElement(0, count: size - count)) }
    }
}
