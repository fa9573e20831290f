package import AviaryDesign
package import AviaryDomain
package import Foundation

/// The progress of a batch: all the state that any worker needs to continue it.
///
/// The state is part of the address and of the form that continues the batch. It is not stored anywhere else.
package struct BatchProgress: Sendable, Hashable {
    /// The largest number of records changed in one commit. The number is small enough that other users' saves wait
    /// only briefly.
    static let mostSize = 500

    /// The upper bound of the batch's record identifiers. Records with later identifiers were created after the
    /// user confirmed, and stay unchanged. The value also identifies the batch.
    package let until: UUID
    /// The last identifier that the batch has processed; nil before the first.
    package var after: UUID?
    package var done = 0
    /// The number of records that could not be changed.
    package var refused = 0
    /// The number of commits of the batch.
    package var parts = 0
    /// The number of the batch's only commit; nil if there are none or several.
    package private(set) var commit: Int64?
    /// The number of records to try in one commit. It is halved when one of them is refused, until that record is
    /// tried alone, and doubled after each success.
    package var size = Self.mostSize

    /// Creates the progress of a new batch.
    ///
    /// - Parameter until: The upper bound of the record identifiers, generated now.
    package init(until: UUID = .version7()) {
        self.until = until
    }

    /// Creates the progress from the fields of an address or form. Returns nil if they do not describe a batch that
    /// was started.
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

    /// The name of the field that all addresses use for a commit that was just made.
    private static let commitField = "did"

    /// Counts a commit of the batch, once even if the form is submitted again.
    mutating func note(_ commit: Int64) {
        guard commit != self.commit else { return }
        parts += 1
        self.commit = parts == 1 ? commit : nil
    }

    /// The series of the batch's commits.
    package var series: ChangeSetSeries { ChangeSetSeries(until) }

    private static func number(_ text: String?) -> Int {
        min(max(0, text.flatMap { Int($0) } ?? 0), 1_000_000_000)
    }
}

/// The next records of a batch, in the order of their identifiers.
///
/// They are part of the form that continues the batch, so that a form that is submitted twice concerns the same
/// records, whatever happened to them.
package struct BatchPart: Sendable, Hashable {
    /// The largest number of records in one form, at 16 bytes each.
    static let mostRecords = 2000
    private static let idLength = 16

    private(set) var ids: ArraySlice<UUID>

    package var isEmpty: Bool { ids.isEmpty }

    init(_ ids: [UUID]) {
        self.ids = ids[...]
    }

    /// Creates a part from the text of a form. Returns nil if the text is not the encoding that `text` produces.
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

/// The outcome of one step of a batch.
package struct BatchStep: Sendable {
    package internal(set) var progress: BatchProgress
    /// The records of the part that are still to be processed.
    package internal(set) var rest: BatchPart
    /// The reason why the batch stopped, in words. The batch can continue from there.
    package internal(set) var stoppedBecause: String?
    /// The first error that an application's own code threw, for the log.
    package internal(set) var cause: (any Error)?
}

/// The outcome of an action on some records.
package enum ActionOutcome: Sendable {
    case done(commit: Int64)
    case nothingToDo
    /// The refusal of the action.
    ///
    /// - Parameter cause: The error that an application's own code threw, for the log.
    case refused(reason: String, isTemporary: Bool, cause: (any Error)? = nil)
}

/// The possibility to undo a batch.
package enum BatchUndo: Sendable {
    /// The batch can be undone with the action.
    case possible(NoticeAction)
    /// The batch was undone completely.
    case done
    case impossible

    var action: NoticeAction? {
        if case .possible(let action) = self { action } else { nil }
    }

    var isDone: Bool {
        if case .done = self { true } else { false }
    }
}
