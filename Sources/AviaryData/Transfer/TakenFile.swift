import AviaryDomain
import Foundation
import Synchronization

/// A file that is being imported, under a name by which nobody finds it. It goes when nobody reads it any more, unless
/// it is given back or left to go on with.
final class TakenFile: ImportSource {
    static let ending = ".taken"

    private let path: String
    private let source: FileImportSource
    private let isKept = Atomic(false)

    /// - Returns: Nil when somebody else has it, or it cannot be read.
    convenience init?(_ path: String) {
        // Of two who try at once one finds it gone.
        guard rename(path, path + Self.ending) == 0 else { return nil }
        self.init(leftAs: path)
    }

    /// Creates a file that another process has left, and whose lock the caller has.
    ///
    /// - Parameter path: The path before the file was taken.
    init?(leftAs path: String) {
        self.path = path
        let taken = path + Self.ending
        // It is read from now on, and by then it may have lain here for nearly as long as it may.
        Self.touch(taken)
        guard let source = try? FileImportSource(taken, limits: .uploaded) else {  // who cannot read it finds none
            unlink(taken)
            return nil
        }
        self.source = source
    }

    deinit {
        if !isKept.load(ordering: .acquiring) { unlink(path + Self.ending) }
    }

    /// Lets it be found again.
    func giveBack() {
        leave()
        Self.giveBack(path)
    }

    /// Lets it be, so that somebody can go on with it, for as long as with a new one.
    func leave() {
        Self.touch(path + Self.ending)
        isKept.store(true, ordering: .releasing)
    }

    /// The same of one whose process has ended.
    static func giveBack(_ path: String) {
        rename(path + ending, path)
    }

    /// That of one with which nobody goes on any more.
    static func remove(_ path: String) {
        unlink(path + ending)
    }

    private static func touch(_ taken: String) {
        utimensat(AT_FDCWD, taken, nil, 0)
    }

    var hasLinksOnBothSides: Bool { source.hasLinksOnBothSides }
    func columns() throws -> [String] { try source.columns() }
    func records() throws -> any ImportReader { try source.records() }
}
