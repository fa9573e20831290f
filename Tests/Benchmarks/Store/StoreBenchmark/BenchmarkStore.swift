import AviaryData
import AviaryDomain

/// Opens the store as the server does, without lists to sort.
enum BenchmarkStore {
    static func open(_ path: String) throws -> Store {
        try Store(directory: DataDirectory(path: path), schema: Schema([Sample.schema]), sortIndexes: [])
    }
}
