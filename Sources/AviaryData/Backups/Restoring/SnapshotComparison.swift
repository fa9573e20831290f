import AviaryDomain

/// A comparison of two snapshots line by line, without their manifests and ends: of records, links, history and receipts.
enum SnapshotComparison {
    /// Checks that two snapshots have the same contents.
    ///
    /// - Returns: The number of the compared lines.
    /// - Throws: ``SnapshotError/Reason/notProven(_:)`` that names the first line that differs; ``SnapshotError``, ``FileError``
    ///   if a file cannot be read.
    static func check(_ copy: String, equals original: String, lineLimit: Int, cancellationToken: CancellationToken)
        throws
        -> Int
    {
        var lines = try (
            LineReader(GzipReader(original), lengthLimit: lineLimit),
            LineReader(GzipReader(copy), lengthLimit: lineLimit)
        )
        // The manifests have times of their own. The ends have digests of all.
        _ = try (lines.0.nextLine(), lines.1.nextLine())
        var next = try (lines.0.nextLine(), lines.1.nextLine()), number = 2
        while let one = next.0, let other = next.1 {
            let isSame = lines.0.buffer[one].elementsEqual(lines.1.buffer[other])
            next = try (lines.0.nextLine(), lines.1.nextLine())
            // The last lines are the ends.
            if next.0 == nil, next.1 == nil { return number - 2 }
            guard isSame, next.0 != nil, next.1 != nil else {
                throw SnapshotError(
                    .notProven("The new store differs from the old one in line \(number) of its snapshot."))
            }
            number += 1
            try cancellationToken.check()
        }
        throw SnapshotError(.missingEnd)
    }
}

extension SQLSnapshotRepository {
    /// Checks that a snapshot has the same records, links, history and receipts as another.
    ///
    /// - Returns: The number of the compared lines.
    /// - Throws: ``SnapshotError``, ``FileError``.
    package func compare(_ copy: String, with original: String) async throws -> Int {
        try await BlockingWork.run {
            try SnapshotComparison.check(
                copy, equals: original, lineLimit: schema.snapshotLineLimit, cancellationToken: cancellationToken)
        }
    }

    /// Returns the number of the store's last commit.
    package func lastCommit() async throws -> Int64? {
        try await BlockingWork.run {
            let connection = try engine.openReader(DataDirectory(found: dataPath))
            defer { connection.close() }
            return try StorePosition.read(from: connection)?.commit
        }
    }
}
