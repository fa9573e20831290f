package import AviaryDesign

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
