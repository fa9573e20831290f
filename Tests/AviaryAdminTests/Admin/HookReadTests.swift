import Aviary
import AviaryTesting
import Foundation
import TestSupport
import Testing

@Model
struct Room {
    @Attribute(.required) var name: String
    var isOpen = true
    @Relationship(deleteRule: .cascade, inverse: \Booking.room) var bookings: Related<Booking>
}

@Model
struct Booking {
    var room: Reference<Room>
    var begin: Int
    var end: Int

    func overlaps(_ other: Booking) -> Bool {
        room == other.room && id != other.id && begin < other.end && end > other.begin
    }
}

@Model
struct Note {
    @Attribute(.required) var text: String
}

/// An application in which a room is booked once at a time.
private struct Hotel: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Room.self)
        ModelAdmin(Booking.self)
        ModelAdmin(Note.self)
    }

    var saveHooks: [SaveHook] {
        SaveHook.before(Booking.self) { booking, save in
            guard try await save.find(booking.room.id)?.isOpen == true else {
                throw SaveError(\Booking.room, "Choose a room that is open.")
            }
            let (id, room, begin, end) = (booking.id, booking.room, booking.begin, booking.end)
            let stored = try await save.fetch(
                FetchDescriptor<Booking>(
                    predicate: #Predicate { $0.room == room && $0.id != id && $0.begin < end && $0.end > begin }))
            let others = try stored + save.saved(Booking.self).filter { [booking] in $0.overlaps(booking) }
            guard others.isEmpty else { throw SaveError(\Booking.begin, "The room is taken at that time.") }
        }
        SaveHook.before(Note.self) { note, save in
            switch note.text {
            case "count": note.text = "\(try await save.fetchCount(FetchDescriptor<Booking>())) bookings"
            case "stranger": _ = try await save.fetchCount(FetchDescriptor<Stranger>())
            default: break
            }
        }
        SaveHook.after(Booking.self) { booking, save in
            guard try await save.find(booking.id) != nil else { throw CancellationError() }
        }
    }
}

@Model
struct Stranger {
    var name: String
}

@Suite("Hooks that read other records", .timeLimit(.minutes(Patience.minutes)))
struct HookReadTests {
    /// Repeats a save as long as others overtake it, or its hooks read longer, than a save waits on a busy machine.
    @discardableResult
    private func saving<Value>(_ save: () async throws -> Value) async throws -> Value {
        while true {
            do { return try await save() } catch let error as StoreError where error.code == .busy { continue }
        }
    }

    private func serve(
        _ body: (TestApplication, Room, Repository<Booking>) async throws -> Void
    ) async throws {
        try await TestApplication.serve(Hotel.self) { application in
            let store = try await application.store()
            let room = Room(name: "Blue")
            try await store.repository(for: Room.self).insert(room)
            try await body(application, room, try await store.repository(for: Booking.self))
        }
    }

    @Test("A save that a hook rejects because of another record stores nothing")
    func rejects() async throws {
        try await serve { _, room, bookings in
            try await saving { try await bookings.insert(Booking(room: Reference(room), begin: 10, end: 12)) }
            let error = await #expect(throws: StoreError.self) {
                try await saving { try await bookings.insert(Booking(room: Reference(room), begin: 11, end: 13)) }
            }
            #expect(error?.problems.map(\.message) == ["The room is taken at that time."])
            try await saving { try await bookings.insert(Booking(room: Reference(room), begin: 12, end: 13)) }
            #expect(try await bookings.fetchCount() == 2)
        }
    }

    @Test("Of saves at the same time that exclude each other, one is stored")
    func race() async throws {
        try await serve { _, room, bookings in
            for round in 0..<3 {
                let stored = await withTaskGroup(of: Bool.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            // Every two of them overlap.
                            let booking = Booking(
                                room: Reference(room), begin: round * 100 + number, end: round * 100 + 50)
                            return (try? await saving { try await bookings.insert(booking) }) != nil
                        }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(stored == 1)
            }
            let count = try await bookings.fetchCount()
            #expect(count == 3)
        }
    }

    @Test("Saves at the same time that do not exclude each other are all stored")
    func compatible() async throws {
        try await serve { _, room, bookings in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let booking = Booking(room: Reference(room), begin: number * 10, end: number * 10 + 10)
                        try await saving { try await bookings.insert(booking) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await bookings.fetchCount() == 8)
        }
    }

    @Test("A change of a record that a hook has read is noticed, too")
    func readRecord() async throws {
        try await serve { application, room, bookings in
            let rooms = try await application.store().repository(for: Room.self)
            try await rooms.update(room.id) { $0.isOpen = false }
            await #expect(throws: StoreError.self) {
                try await saving { try await bookings.insert(Booking(room: Reference(room), begin: 1, end: 2)) }
            }
            #expect(try await bookings.fetchCount() == 0)
        }
    }

    @Test("A hook sees the records that the same change set saves before")
    func sameChangeSet() async throws {
        try await serve { application, room, bookings in
            let store = try await application.store()
            func booking(_ begin: Int) -> Change {
                .insert(Booking(room: Reference(room), begin: begin, end: begin + 2))
            }
            await #expect(throws: StoreError.self) {
                try await saving { try await store.submit([booking(10), booking(11)]) }
            }
            #expect(try await bookings.fetchCount() == 0)
            try await saving { try await store.submit([booking(10), booking(12)]) }
            #expect(try await bookings.fetchCount() == 2)
        }
    }

    @Test("A sheet shows the message at the field")
    func sheet() async throws {
        try await serve { application, room, bookings in
            try await saving { try await bookings.insert(Booking(room: Reference(room), begin: 10, end: 12)) }
            let browser = try await application.signedIn(as: "ada", role: .editor)
            var sheet = try await browser.get("/admin/bookings/new?fresh=1").sheet()
            sheet["room"] = "\(room.id)"
            sheet["begin"] = "11"
            sheet["end"] = "14"
            var answer = try await browser.submit(sheet)
            while answer.status == 503 { answer = try await browser.submit(sheet) }
            #expect(answer.status == 422 && answer.body.contains("The room is taken at that time."))
        }
    }

    @Test("A hook counts records, and a read of a model that the application does not declare stores nothing")
    func others() async throws {
        try await serve { application, room, bookings in
            try await saving { try await bookings.insert(Booking(room: Reference(room), begin: 10, end: 12)) }
            let notes = try await application.store().repository(for: Note.self)
            try await saving { try await notes.insert(Note(text: "count")) }
            #expect(try await notes.fetchAll().map(\.text) == ["1 bookings"])
            let error = await #expect(throws: StoreError.self) {
                try await saving { try await notes.insert(Note(text: "stranger")) }
            }
            #expect(error?.code == .unavailable)
        }
    }
}
