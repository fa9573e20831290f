import AviaryData
import AviaryDomain
import ImportFeature

extension DependencyContainer {
    /// - Throws: What tells why the file cannot be read.
    static func importFile(_ path: String) throws -> any ImportSource {
        try FileImportSource(path, limits: .own)
    }

    /// What people brought to be imported in the admin.
    var importFiles: any ImportFiles { ImportFolder(data: directory.path) }

    /// Where they are imported.
    var importTarget: ImportTarget {
        ImportTarget(lookUp: StoredRecords(container: self)) {
            try await submitImport($0)
        } commit: { id in
            guard case .saved(let commit)? = try await ledger.outcome(ofDraft: id) else { return nil }
            return commit
        } restoreEpoch: {
            try await reading { try await ledger.restoreEpoch() }
        } isGood: {
            try await accounts.isGood($0)
        }
    }

    /// The largest file that is taken there, in bytes.
    static var importFileLimit: Int { ImportFolder.sizeLimit }

    /// Exports that a page asks for.
    var listExport: any ListExport { SQLListExport(data: directory.path, readers: readers) }
}
