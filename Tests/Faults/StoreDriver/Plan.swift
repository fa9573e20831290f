import AviaryDomain
import Foundation
import TestSupport

/// The steps of one caller.
///
/// The steps follow from the seed and the receipts of the store, so a second run submits the same change sets
/// again.
struct Plan {
    struct Step {
        let number: Int
        let changeSet: ChangeSet
        /// The effects of the change set for the ledger: `+id=name` stored, `-id` deleted, `!id` never visible.
        let effects: [String]
        let isRefused: Bool
        fileprivate let live: [Record]
    }

    fileprivate struct Record {
        let id: UUID
        var version: Int64?
    }

    let caller: Int
    private let noteLength: Int
    private var generator: SeededGenerator
    private var number = 0
    private var live: [Record] = []

    init(caller: Int, seed: UInt64, noteLength: Int) {
        self.caller = caller
        self.noteLength = noteLength
        generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(caller))
    }

    mutating func next() -> Step {
        number += 1
        let kind = Int.random(in: 0..<100, using: &generator)
        return switch live.randomElement(using: &generator) {
        case let record? where kind < 25: update(record)
        case let record? where kind < 35: delete(record)
        default: kind < 90 ? insert() : refused()
        }
    }

    /// Records that the store committed a step.
    mutating func succeed(_ step: Step, commit: Int64) {
        live = step.live.map { Record(id: $0.id, version: $0.version ?? commit) }
    }

    private func insert() -> Step {
        let animals = [animal(.record), animal(.companion)]
        let records = animals.map { Record(id: $0.id.uuid) }
        return step(animals.map(\.insertion), animals.map { "+\($0.id)=\($0.name)" }, leaving: live + records)
    }

    private func update(_ record: Record) -> Step {
        let animal = Animal(id: RecordID(record.id), name: name(.record), noteLength: noteLength)
        let change = Change.update(
            model: Animal.modelName, id: record.id, version: record.version ?? 0, values: animal.fieldValues
        )
        let others = live.filter { $0.id != record.id }
        return step([change], ["+\(animal.id)=\(animal.name)"], leaving: others + [Record(id: record.id)])
    }

    private func delete(_ record: Record) -> Step {
        let others = live.filter { $0.id != record.id }
        return step([.delete(model: Animal.modelName, id: record.id)], ["-\(record.id.canonicalText)"], leaving: others)
    }

    /// Returns a step with a valid record and one with a dangling reference. The store must store neither.
    private func refused() -> Step {
        let keeper = Reference<Keeper>(id: RecordID(UUID(.missing, caller: caller, step: number)))
        let animals = [animal(.record), animal(.companion, keeper: keeper)]
        return step(animals.map(\.insertion), animals.map { "!\($0.id)" }, isRefused: true, leaving: live)
    }

    private func animal(_ use: UUID.Use, keeper: Reference<Keeper>? = nil) -> Animal {
        let id = RecordID<Animal>(UUID(use, caller: caller, step: number))
        return Animal(id: id, name: name(use), noteLength: noteLength, keeper: keeper)
    }

    private func name(_ use: UUID.Use) -> String { "animal.\(caller).\(number).\(use.rawValue)" }

    private func step(_ changes: [Change], _ effects: [String], isRefused: Bool = false, leaving live: [Record]) -> Step
    {
        let changeSet = ChangeSet(
            id: UUID(.changeSet, caller: caller, step: number), author: "driver", changes: changes)
        return Step(number: number, changeSet: changeSet, effects: effects, isRefused: isRefused, live: live)
    }
}

extension UUID {
    enum Use: UInt8 {
        case changeSet = 1
        case record
        case companion
        case missing
    }

    /// Creates an id that is the same in every run, so that the next run repeats the unfinished steps of an
    /// interrupted run with the same ids. The text of all these ids begins with `fa175e`, which makes them easy to
    /// find in a trace.
    init(_ use: Use, caller: Int, step: Int) {
        let (caller, step) = (UInt16(caller), UInt32(step))
        self.init(
            uuid: (
                0xFA, 0x17, 0x5E, use.rawValue, 0, 0, 0x70, 0, 0x80, 0, UInt8(caller >> 8), UInt8(caller & 0xFF),
                UInt8(step >> 24), UInt8(step >> 16 & 0xFF), UInt8(step >> 8 & 0xFF), UInt8(step & 0xFF)
            ))
    }
}
