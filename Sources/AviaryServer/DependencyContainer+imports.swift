import AviaryData
import AviaryDomain

extension DependencyContainer {
    /// - Throws: What tells why the file cannot be read.
    static func importFile(_ path: String) throws -> any ImportSource {
        try FileImportSource(path)
    }

    /// What people brought to be imported in the admin.
    var importFiles: any ImportFiles { ImportFolder(data: directory.path) }

    /// The largest file that is taken there, in bytes.
    static var importFileLimit: Int { ImportFolder.sizeLimit }

    /// Exports that a page asks for.
    var listExport: any ListExport { SQLListExport(data: directory.path, readers: readers) }
}
