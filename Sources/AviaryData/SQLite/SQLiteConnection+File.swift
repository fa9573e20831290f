import AviaryDomain
import CSQLite
import Foundation

// The file of a connection, past SQLite's cache. Another descriptor would drop SQLite's locks when it is closed.
extension SQLiteConnection {
    private typealias OpenFile = (pointer: UnsafeMutablePointer<sqlite3_file>, methods: sqlite3_io_methods)

    private func openFile() throws(EngineError) -> OpenFile {
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let status = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard status == SQLITE_OK, let pointer, let methods = pointer.pointee.pMethods else {
            throw EngineError(sqliteCode: SQLITE_MISUSE, operation: "use of a closed file")
        }
        return (pointer, methods.pointee)
    }

    /// Flushes the file to the disk.
    func flushFile() throws(EngineError) {
        let file = try openFile()
        let status = file.methods.xSync(file.pointer, SQLITE_SYNC_NORMAL)
        guard status == SQLITE_OK else { throw EngineError(sqliteCode: status, operation: Store.checkpointing) }
    }

    /// Writes pages again, byte for byte in place, and flushes them. This must happen before the next checkpoint.
    ///
    /// A checkpoint beside commits or reads notes the pages that it has copied before they are flushed. After a failed flush
    /// the kernel may treat them as written, and the note remains as long as another process has the store open. The log would
    /// then begin again although the disk never received these pages.
    func writeAgain(_ pages: LoggedPages) throws(EngineError) {
        guard !pages.numbers.isEmpty else { return }
        let file = try openFile()
        var page = [UInt8](repeating: 0, count: pages.size)
        for number in pages.numbers.sorted() where number > 0 {
            let offset = Int64(number - 1) * Int64(pages.size)
            // A page after the end of the file was not copied yet. One that cannot be read is reported when it is used.
            guard file.methods.xRead(file.pointer, &page, Int32(pages.size), offset) == SQLITE_OK else { continue }
            let status = file.methods.xWrite(file.pointer, page, Int32(pages.size), offset)
            guard status == SQLITE_OK else { throw EngineError(sqliteCode: status, operation: Store.checkpointing) }
        }
        try flushFile()
    }
}

/// The pages of the file that a log contains.
struct LoggedPages {
    private static let headerLength = 32
    private static let frameHeaderLength = 24

    var size = 0
    var numbers: Set<UInt32> = []

    init() {}

    /// Reads the numbers of the pages of all frames, also of those that a former use of the log has left.
    init(ofLog descriptor: Int32, length: Int) {
        size = Self.number(at: 8, of: descriptor).map(Int.init) ?? 0
        guard size >= 512, size <= 65_536 else { return }
        for frame in stride(from: Self.headerLength, to: length, by: Self.frameHeaderLength + size) {
            if let number = Self.number(at: frame, of: descriptor) { numbers.insert(number) }
        }
    }

    private static func number(at offset: Int, of descriptor: Int32) -> UInt32? {
        var bytes: UInt32 = 0
        guard pread(descriptor, &bytes, 4, off_t(offset)) == 4 else { return nil }
        return UInt32(bigEndian: bytes)
    }
}
