package import AviaryDesign
package import AviaryDomain
package import Foundation

/// How far a batch has come: all that there is to know, so that any worker can go on with it. It stands in the address and
/// in the form that goes on; nothing of it is kept anywhere else.
package struct BatchProgress: Sendable, Hashable {
    /// So many records are changed in one commit: few enough that others' saves wait for a moment only.
    static let mostSize = 500

    /// Records whose ids come later were begun after somebody said yes: they stay as they are. It also tells this batch from
    /// others.
    package let until: UUID
    /// Up to this id everything has been looked at; nil before the first.
    package var after: UUID?
    package var done = 0
    /// How many could not be changed.
    package var refused = 0
    /// How many commits it took, and which it was where it took one.
    package var parts = 0
    package private(set) var commit: Int64?
    /// How many are tried in one commit. Halved where one of them is refused, until it stands alone.
    package var size = Self.mostSize

    /// - Parameter until: An id that is made now.
    package init(until: UUID = .version7()) {
        self.until = until
    }

    /// Nil for an address that does not speak of a batch that was begun.
    package init?(_ fields: [FormField]) {
        guard let until = fields.value("until").flatMap({ UUID(canonicalText: $0) }) else { return nil }
        self.until = until
        if let text = fields.value("after") {
            guard let after = UUID(canonicalText: text) else { return nil }
            self.after = after
        }
        done = Self.number(fields.value("done"))
        refused = Self.number(fields.value("refused"))
        commit = fields.value(Self.commitField).flatMap { Int64($0) }
        parts = commit == nil ? Self.number(fields.value("parts")) : 1
        let size = Self.number(fields.value("size"))
        self.size = (1...Self.mostSize).contains(size) ? size : Self.mostSize
    }

    package var fields: [FormField] {
        var fields = [FormField(name: "until", value: until.canonicalText)]
        if let after { fields.append(FormField(name: "after", value: after.canonicalText)) }
        fields.append(FormField(name: "done", value: String(done)))
        if refused > 0 { fields.append(FormField(name: "refused", value: String(refused))) }
        if let commit { fields.append(FormField(name: Self.commitField, value: String(commit))) }
        if parts > 1 { fields.append(FormField(name: "parts", value: String(parts))) }
        if size < Self.mostSize { fields.append(FormField(name: "size", value: String(size))) }
        return fields
    }

    /// As everywhere where an address tells what was just done.
    private static let commitField = "did"

    /// A commit that belongs to it, once or as often as its form is sent.
    mutating func note(_ commit: Int64) {
        guard commit != self.commit else { return }
        parts += 1
        self.commit = parts == 1 ? commit : nil
    }

    /// Of its commits.
    package var series: ChangeSetSeries { ChangeSetSeries(until) }

    private static func number(_ text: String?) -> Int {
        min(max(0, text.flatMap { Int($0) } ?? 0), 1_000_000_000)
    }
}

/// The records that come next in a batch, in the order of their ids. They stand in the form that goes on: a form that is sent
/// twice is about the same records, whatever became of them.
package struct BatchPart: Sendable, Hashable {
    /// Of one form: 16 bytes each.
    static let mostRecords = 2000
    private static let idLength = 16

    private(set) var ids: ArraySlice<UUID>

    package var isEmpty: Bool { ids.isEmpty }

    init(_ ids: [UUID]) {
        self.ids = ids[...]
    }

    /// Nil for what no form of ours has.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.mostRecords * Self.idLength * 4 / 3 + 1, let bytes = Base64URL.decode(text),
            !bytes.isEmpty,
            bytes.count.isMultiple(of: Self.idLength)
        else { return nil }
        ids =
            stride(from: 0, to: bytes.count, by: Self.idLength).map { start in
                NSUUID(uuidBytes: Array(bytes[start..<start + Self.idLength])) as UUID
            }[...]
    }

    var text: String {
        Base64URL.encode(ids.flatMap { id in withUnsafeBytes(of: id.uuid) { [UInt8]($0) } })
    }

    func prefix(_ size: Int) -> [UUID] { Array(ids.prefix(size)) }

    mutating func removeFirst(_ count: Int) {
        ids = ids.dropFirst(count)
    }
}

/// What became of a step of a batch.
package struct BatchStep: Sendable {
    package internal(set) var progress: BatchProgress
    /// What of the part is still to be done.
    package internal(set) var rest: BatchPart
    /// Why it stopped, in words. It can go on from there.
    package internal(set) var stoppedBecause: String?
    /// What an application's own code threw first, for the log.
    package internal(set) var cause: (any Error)?
}

/// What became of an action on some records.
package enum ActionOutcome: Sendable {
    case done(commit: Int64)
    case nothingToDo
    /// - Parameter cause: What an application's own code threw, for the log.
    case refused(reason: String, isTemporary: Bool, cause: (any Error)? = nil)
}

/// Whether what a batch did can be taken back.
package enum BatchUndo: Sendable {
    /// The way to do that.
    case possible(NoticeAction)
    /// All of it was.
    case done
    case impossible

    var action: NoticeAction? {
        if case .possible(let action) = self { action } else { nil }
    }

    var isDone: Bool {
        if case .done = self { true } else { false }
    }
}
