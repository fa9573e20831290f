package import AviaryDomain
import Crypto
import Foundation

/// What people brought to be imported, in a folder of the data directory.
package struct ImportFolder: ImportFiles {
    /// Of one file, in bytes.
    package static let sizeLimit = 16 << 20
    /// Of one account for one model.
    private static let mostFiles = 5
    /// After that a file goes, in seconds.
    private static let lifetime: TimeInterval = 3600

    private let path: String

    package init(data path: String) {
        self.path = path + "/imports"
    }

    package func keep(
        by account: String, for model: String, _ next: @Sendable () async throws -> [UInt8]?
    ) async throws -> String {
        removeExpired()
        let folder = folder(account, model)
        for path in [path, folder] {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw ImportFileError.unwritable }
        }
        // What cannot be listed cannot be written either.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard names.count < Self.mostFiles else { throw ImportFileError.tooMany }
        let id = (UUID().uuidString + UUID().uuidString).lowercased().filter { $0 != "-" }
        let file: NewFile
        do {
            file = try NewFile(folder + "/" + id)
        } catch {
            throw ImportFileError.unwritable
        }
        var count = 0
        while let bytes = try await next() {
            count += bytes.count
            guard count <= Self.sizeLimit else { throw ImportFileError.tooLarge(limit: Self.sizeLimit) }
            do {
                try await BlockingWork.run { [sink = file.sink] in try sink.write(bytes) }
            } catch {
                throw ImportFileError.unwritable
            }
        }
        guard count > 0 else { throw ImportFileError.empty }
        do {
            try file.publish()
        } catch {
            throw ImportFileError.unwritable
        }
        return id
    }

    package func file(_ id: String, of account: String, for model: String) async -> (any ImportSource)? {
        guard let path = existing(id, account, model) else { return nil }
        return try? FileImportSource(path)  // who cannot read it finds none
    }

    package func take(_ id: String, of account: String, for model: String) async -> (any ImportSource)? {
        guard let path = existing(id, account, model) else { return nil }
        let taken = path + ".taken"
        // Of two who try at once one finds it gone.
        guard rename(path, taken) == 0 else { return nil }
        return try? TakenFile(taken)
    }

    package func discard(_ id: String, of account: String, for model: String) async {
        if let path = existing(id, account, model) { unlink(path) }
    }

    /// Removes what nobody came back for.
    package func removeExpired() {
        // Where there is no folder yet nothing is too old.
        for folder in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? [] {
                let file = path + "/" + folder + "/" + name
                if let age = Self.age(of: file), age > Self.lifetime { unlink(file) }
            }
        }
    }

    private func existing(_ id: String, _ account: String, _ model: String) -> String? {
        guard id.utf8.count == 64, id.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 || $0 >= 97 && $0 <= 102 }) else { return nil }
        let path = folder(account, model) + "/" + id
        guard let age = Self.age(of: path), age <= Self.lifetime else { return nil }
        return path
    }

    /// Names from outside are no names of files.
    private func folder(_ account: String, _ model: String) -> String {
        path + "/" + SHA256.hash(data: Data((account + "\0" + model).utf8)).hexadecimal.prefix(32)
    }

    private static func age(of path: String) -> TimeInterval? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }  // it is not there
        return (attributes[.modificationDate] as? Date).map { -$0.timeIntervalSinceNow }
    }
}

/// A file that goes when nobody reads it any more.
private final class TakenFile: ImportSource {
    private let path: String
    private let source: FileImportSource

    init(_ path: String) throws {
        self.path = path
        do {
            source = try FileImportSource(path)
        } catch {
            unlink(path)
            throw error
        }
    }

    deinit { unlink(path) }

    func columns() throws -> [String] { try source.columns() }
    func records() throws -> any ImportReader { try source.records() }
}
