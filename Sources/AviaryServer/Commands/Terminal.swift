import AviaryDomain
import Foundation

/// Standard error, where everything but data goes.
enum Terminal {
    /// Somebody who does not read for so long is not waited for.
    private static let patienceInMilliseconds: CInt = 1000

    /// What it tells of may come from a file of anybody's: characters that control a terminal are shown, not obeyed.
    static func say(_ text: String) {
        write(text.printableLines + "\n")
    }

    /// As it is, for what controls the terminal on purpose.
    static func write(_ text: String) {
        Array(text.utf8).withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(
                    STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    var room = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                    guard poll(&room, 1, patienceInMilliseconds) > 0 else { return }
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}
