import AviaryDomain
import Hummingbird

/// Reads for a page: what cannot be read is said in the same words everywhere.
func reading<Value: Sendable>(_ read: () async throws -> Value) async throws -> Value {
    do {
        return try await read()
    } catch AccountError.signedOut {
        throw RequestRefusal.signedOut
    } catch let error where error is AccessRefusal || error is AccountError || error is RequestRefusal {
        throw error
    } catch {
        throw RequestRefusal.unreadable
    }
}

/// Changes something that is not a form with fields.
func writing(_ write: () async throws -> Void) async throws {
    do {
        try await write()
    } catch AccountError.signedOut {
        throw RequestRefusal.signedOut
    } catch {
        throw RequestRefusal.unreadable
    }
}
