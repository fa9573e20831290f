import Foundation

/// Standard error, where everything but data goes.
enum Terminal {
    static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
