import Foundation

/// What the system says of the call that failed last.
enum SystemError {
    static var current: String { String(cString: strerror(errno)) }
}
