/// The processes of a server, as its `status` command tells them.
struct ServerStatus: Sendable, Decodable {
    struct Member: Sendable, Decodable {
        let pid: Int32
        let restarts: Int?
        let ready: Bool?
    }

    let supervisor: Member
    let store: Member?
    let workers: [Member]

    /// Whether nobody is being started again.
    func isComplete(workers count: Int) -> Bool {
        store?.ready == true && workers.count == count && workers.allSatisfy { $0.ready == true }
    }

    var restarts: Int {
        workers.reduce(store?.restarts ?? 0) { $0 + ($1.restarts ?? 0) }
    }

    func members(_ target: KillTarget) -> [Victim] {
        let stores = store.map { [Victim(name: "store", pid: $0.pid)] } ?? []
        let workers = workers.map { Victim(name: "worker", pid: $0.pid) }
        switch target {
        case .store: return stores
        case .worker: return workers
        case .any: return stores + workers
        }
    }
}
