package import AviaryDomain

/// The file beside a store that tells what data checks found.
package struct DataCheckFile: DataCheckStorage {
    private let file: JSONFile<DataCheckState>

    package init(_ dataPath: String) {
        file = JSONFile(path: dataPath + "/data-check.json")
    }

    package func dataCheckState() -> DataCheckState? { file.read() }

    package func keep(_ state: DataCheckState?) throws {
        if let state { try file.write(state) } else { file.remove() }
    }
}
