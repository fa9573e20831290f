import ArgumentParser
import AviaryData
import AviaryDomain
import Foundation

/// Measures what one writer waits for while a large delete, its undo and the undo of that are made, beside the same writer
/// alone.
struct LongCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "long", abstract: "Measure the waits of a writer beside a large delete and its undo.")

    @Argument(help: "An empty directory for the store.")
    var directory: String

    @Option(help: "The number of records, in 16 groups of very different sizes.")
    var records = 1_000_000

    @Option(help: "The number of saves a second of the other writer.")
    var rate = 40

    /// The shares of the groups: the flights of 16 airlines from New York in 2013, in thousandths.
    private static let shares = [174, 162, 161, 142, 97, 78, 61, 54, 36, 15, 10, 4, 2, 2, 1, 1]

    func run() async throws {
        let store = try Store(
            directory: DataDirectory(path: directory), schema: Schema([Group.schema, Member.schema]), sortIndexes: [])
        let groups = Self.shares.indices.map { Group(name: "Group \($0)") }
        try await store.submit(ChangeSet(author: "benchmark", changes: groups.map(\.insertion)))
        for start in stride(from: 0, to: records, by: 1000) {
            let members = (start..<min(start + 1000, records)).map { number in
                Member(name: "Member \(number)", group: groups[Self.group(of: number)])
            }
            try await store.submit(ChangeSet(author: "benchmark", changes: members.map(\.insertion)))
        }
        try await measure("alone", store) {
            try await Task.sleep(for: .seconds(10))
            return 0
        }
        let deleted = try await measure("delete", store) {
            try await store.submit(
                ChangeSet(author: "benchmark", changes: [.delete(model: Group.modelName, id: groups[0].id.uuid)])
            ).commit
        }
        let undone = try await measure("undo", store) {
            try await store.undo(Undo(commit: deleted, author: "benchmark")).commit
        }
        _ = try await measure("undo of the undo", store) {
            try await store.undo(Undo(commit: undone, author: "benchmark")).commit
        }
        await store.close()
    }

    /// The group of a record. Neighbours have the same group for a while, as in real files.
    private static func group(of number: Int) -> Int {
        var place = (number / 500 * 617) % 1000
        for (index, share) in shares.enumerated() {
            if place < share { return index }
            place -= share
        }
        return 0
    }

    @discardableResult
    private func measure(
        _ name: String, _ store: Store, _ work: @Sendable @escaping () async throws -> Int64
    ) async throws -> Int64 {
        let before = try fileSize()
        let writer = Task { await saves(to: store) }
        let start = ContinuousClock.now
        let commit = try await work()
        let answered = ContinuousClock.now - start
        while await store.isMakingLongChange { try await Task.sleep(for: .milliseconds(20)) }
        let completed = ContinuousClock.now - start
        writer.cancel()
        let (waits, refused) = await writer.value
        let sorted = waits.sorted()
        func percentile(_ share: Double) -> Double {
            sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
        }
        try JSONLine.print(
            LongMeasure(
                work: name, answeredAfter: answered / .seconds(1), completedAfter: completed / .seconds(1),
                saves: sorted.count, refused: refused, median: percentile(0.5) * 1000, p99: percentile(0.99) * 1000,
                longest: (sorted.last ?? 0) * 1000, fileBefore: before, fileAfter: try fileSize(),
                peakMemory: peakMemory()))
        return commit
    }

    /// Saves at the rate until the task is cancelled, and returns the waits in seconds.
    private func saves(to store: Store) async -> (waits: [Double], refused: Int) {
        var waits: [Double] = [], refused = 0, number = 0
        let start = ContinuousClock.now
        while !Task.isCancelled {
            number += 1
            // The wait counts from the time that the save was due, so that a save that waits adds to those after it.
            let due = start + .seconds(1) / rate * number
            do { try await Task.sleep(until: due, clock: .continuous) } catch { break }
            do {
                _ = try await store.submit(
                    ChangeSet(author: "other", changes: [Group(name: "New \(number)").insertion]))
                waits.append((ContinuousClock.now - due) / .seconds(1))
            } catch {
                refused += 1
            }
        }
        return (waits, refused)
    }

    private func fileSize() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/store.sqlite")
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    /// The greatest memory of the process so far, in bytes.
    private func peakMemory() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return 1024 * (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
    }
}

private struct LongMeasure: Encodable {
    let work: String
    let answeredAfter: Double
    let completedAfter: Double
    let saves: Int
    let refused: Int
    /// The waits of the other writer, in milliseconds.
    let median: Double
    let p99: Double
    let longest: Double
    let fileBefore: Int
    let fileAfter: Int
    let peakMemory: Int
}

/// A group whose delete takes its members along.
struct Group: Model {
    var id = RecordID<Group>()
    var name: String
    var members = Related<Member>()

    static let schema = ModelSchema(
        Group.self,
        [
            .init(\.name, "name"),
            .init(\.members, "members", relationship: .init(deleteRule: .cascade, inverse: \Member.group)),
        ])

    init(name: String) { self.name = name }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
    }

    func bind(to writer: inout FieldWriter) { writer.bind(name) }
}

struct Member: Model {
    var id = RecordID<Member>()
    var name: String
    var group: Reference<Group>?

    static let schema = ModelSchema(
        Member.self, [.init(\.name, "name", attributes: [.unique]), .init(\.group, "group")])

    init(name: String, group: Group) {
        self.name = name
        self.group = Reference(group)
    }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        group = try reader.next("group")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(name)
        writer.bind(group)
    }
}
