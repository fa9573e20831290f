import Foundation

extension Trace {
    /// The acknowledgements that no flush of the log came before: a power loss at that moment would take them back.
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
                // What the kernel may have dropped is flushed by no later call.
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

    /// The change sets whose ids stand in the page, as in the row of its receipt.
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

    /// How the driver's ids of change sets begin.
    private static let mark = Array("fa175e01-".utf8)

    private static func key(_ caller: Int, _ step: Int) -> String { "\(caller).\(step)" }
}

extension UnsafeRawBufferPointer {
    /// Where the pattern begins. By C, which is fast without optimization too.
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
