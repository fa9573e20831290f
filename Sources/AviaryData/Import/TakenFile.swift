import AviaryDomain
import Foundation
import Synchronization

/// A file that is being imported, under a name by which nobody finds it. It goes when nobody reads it any more.
final class TakenFile: ImportSource {
    private static let ending = ".taken"

    private let path: String
    private let source: FileImportSource
    private let isGivenBack = Atomic(false)

    /// - Returns: Nil when somebody else has it, or it cannot be read.
    init?(_ path: String) {
        self.path = path
        let taken = path + Self.ending
        // Of two who try at once one finds it gone.
        guard rename(path, taken) == 0 else { return nil }
        // It is read from now on, and by then it may have lain here for nearly as long as it may.
        utimensat(AT_FDCWD, taken, nil, 0)
        guard let source = try? FileImportSource(taken) else {  // who cannot read it finds none
            unlink(taken)
            return nil
        }
        self.source = source
    }

    deinit {
        if !isGivenBack.load(ordering: .acquiring) { unlink(path + Self.ending) }
    }

    /// Lets it be found again.
    func giveBack() {
        isGivenBack.store(true, ordering: .releasing)
        Self.giveBack(path)
    }

    /// The same of one whose process has ended.
    static func giveBack(_ path: String) {
        rename(path + ending, path)
    }

    var hasLinksOnBothSides: Bool { source.hasLinksOnBothSides }
    func columns() throws -> [String] { try source.columns() }
    func records() throws -> any ImportReader { try source.records() }
}
