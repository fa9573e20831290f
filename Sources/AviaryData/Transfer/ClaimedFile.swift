import AviaryDomain
import Foundation
import Synchronization

/// A file that is being imported, under a name under which no other import finds it.
///
/// It is removed with its object, unless it is given back or left for another import to continue.
final class ClaimedFile: ImportSource {
    static let ending = ".taken"

    private let path: String
    private let source: FileImportSource
    private let isKept = Atomic(false)

    /// Takes a file; nil if another process has taken it or it cannot be read.
    convenience init?(_ path: String) {
        // If two processes try at once, one of them finds the file gone.
        guard rename(path, path + Self.ending) == 0 else { return nil }
        self.init(leftAs: path)
    }

    /// Creates a file that another process has left. The caller must hold its lock.
    ///
    /// - Parameter path: The path that the file had before it was taken.
    init?(leftAs path: String) {
        self.path = path
        let taken = path + Self.ending
        // The import starts now, when the file may be about to expire.
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

    /// Renames the file so that it can be found again.
    func release() {
        leave()
        Self.release(path)
    }

    /// Keeps the file so that another import can continue it, with the lifetime of a new file.
    func leave() {
        Self.touch(path + Self.ending)
        isKept.store(true, ordering: .releasing)
    }

    /// Gives back a file whose process has ended.
    static func release(_ path: String) {
        rename(path + ending, path)
    }

    /// Removes a taken file that no import continues.
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
