/// Compresses bytes into one gzip member.
protocol Deflater: AnyObject {
    /// Hands on, piece by piece, what the bytes become together with those that were given before.
    ///
    /// - Parameters:
    ///   - isLast: Whether the member ends with these bytes; nothing can be given after them.
    ///   - take: Gets each piece, which is gone when it returns.
    func deflate(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError)
}
