import Foundation
import NIOCore
import NIOPosix

/// What a server answered.
struct Answer: Sendable {
    let status: Int
    var location: String?
    var cookies: [String] = []
    var body: [UInt8] = []

    /// Another moment may bring another answer. A refusal is none of these: with it the server did its part.
    var isAway: Bool { status >= 500 || status == 429 }

    /// It leads to the form for signing in, and what was asked was not done.
    var asksForSignIn: Bool {
        status == 401 || status == 303 && location?.hasPrefix(SignIn.path) == true
    }

    /// The answer promises that the request had no effect.
    ///
    /// Only a 503 is believed, and held to it: a record that is there all the same is an orphan.
    var saysNothingChanged: Bool {
        status == 503
            && Self.promises.contains { promise in
                body.firstRange(of: promise.utf8) != nil
            }
    }

    /// What it says about the write that was asked for.
    var outcome: WriteOutcome {
        switch status {
        // The session was ended: nothing was stored.
        case _ where asksForSignIn: .refused
        case 303: .acknowledged
        case 400..<500: .refused
        default: saysNothingChanged ? .refused : .unknown
        }
    }

    private static let promises = ["Nothing was changed", "Not saved"]
}

/// No answer came, or not all of it. Whether the request was executed is not known.
struct NoAnswer: Error, Sendable, CustomStringConvertible {
    /// As errors are counted: few, and without what differs from one to the next.
    let kind: String
    let description: String

    init(_ error: any Error) {
        description = "\(error)"
        kind =
            switch error {
            case let error as HTTPClientError where error == .connectTimeout: "no connection"
            case let error as HTTPClientError where error == .readTimeout: "no answer in time"
            case let error as IOError where error.errnoCode == ECONNREFUSED: "no connection"
            case is NIOConnectionError: "no connection"
            case is CancellationError: "cancelled"
            default: "connection lost"
            }
    }
}
