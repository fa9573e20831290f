import AviaryDomain
import Foundation
import Testing

@testable import AviaryAdmin

@Suite("What the next deploy may drop")
struct ApprovedDropsTests {
    private let directory: TestDirectory
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { directory = try TestDirectory() }

    @Test("A permission applies for an hour, and not before its time")
    func hour() throws {
        try ApprovedDrops.approve(["Animal.legs"], in: directory.path, at: now)
        #expect(ApprovedDrops.names(in: directory.path, at: now) == ["Animal.legs"])
        #expect(ApprovedDrops.names(in: directory.path, at: now.addingTimeInterval(3600)) == ["Animal.legs"])
        #expect(ApprovedDrops.names(in: directory.path, at: now.addingTimeInterval(3601)).isEmpty)
        #expect(ApprovedDrops.names(in: directory.path, at: now.addingTimeInterval(-1)).isEmpty)
    }

    @Test("A later permission replaces an earlier one, and a withdrawn one permits nothing")
    func replaced() throws {
        try ApprovedDrops.approve(["Animal.legs"], in: directory.path, at: now)
        try ApprovedDrops.approve(["Friend"], in: directory.path, at: now)
        #expect(ApprovedDrops.names(in: directory.path, at: now) == ["Friend"])
        ApprovedDrops.withdraw(in: directory.path)
        #expect(ApprovedDrops.names(in: directory.path, at: now).isEmpty)
    }

    @Test("A file that cannot be read permits nothing, and only its owner reads a good one")
    func unreadable() throws {
        let path = ApprovedDrops.path(in: directory.path)
        try Data("Friend".utf8).write(to: URL(filePath: path))
        #expect(ApprovedDrops.names(in: directory.path, at: now).isEmpty)
        try ApprovedDrops.approve(["Friend"], in: directory.path, at: now)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("A refusal says how a running server drops what would be lost, unless that is decided")
    func advice() {
        func report(_ undecided: Set<String>) -> MigrationReport {
            MigrationReport(
                change: .refused, steps: [], reasons: ["Animal.legs would be lost."], droppable: ["Animal.legs"],
                undecided: undecided, command: "zoo")
        }
        #expect(report(["Animal.legs"]).reason?.contains("zoo migrate --drop Animal.legs --on-deploy") == true)
        #expect(report([]).reason == "Animal.legs would be lost.")
    }
}
