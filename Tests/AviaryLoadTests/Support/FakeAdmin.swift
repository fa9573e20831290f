import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A fake admin in memory with optional faults, which the checker must detect.
actor FakeAdmin {
    enum Lie: Sendable, CaseIterable {
        /// A fault that acknowledges writes and stores nothing.
        case forgets
        /// A fault that stores every save as a further record with a new id.
        case duplicates
        case ignoresDeletes
        case ignoresEdits
        case ignoresUndo
        /// A fault that accepts every save, even if its author has not seen the latest version.
        case overwrites
        case storesCancelledDrafts
        case storesRefused
        /// A fault that adds records which no client requested.
        case invents
    }

    typealias Answer = (status: Int, page: String, location: String?)

    private struct Record {
        var title: String
        var version = 1
    }

    private var lie: Lie?
    private var records: [String: Record] = [:]
    private var deleted: [String: (id: String, record: Record)] = [:]

    private var waiting: CheckedContinuation<Void, Never>?
    private var hasMet = false
    private var requests = 0

    init(_ lie: Lie?) {
        self.lie = lie
    }

    /// Makes the first user that opens a record wait for the second, so that two edits have the same base version.
    func meet() async {
        guard lie == .overwrites, !hasMet else { return }
        guard let other = waiting else { return await withCheckedContinuation { waiting = $0 } }
        waiting = nil
        hasMet = true
        other.resume()
    }

    /// Indicates whether the proxy answers this save or form in place of the admin, as it does for each third.
    func isIntercepted() -> Bool {
        requests += 1
        return requests.isMultiple(of: 3)
    }

    func isRecord(_ path: String) -> Bool {
        records[path.split(separator: "/").last.map(String.init) ?? ""] != nil
    }

    func answer(_ method: String, _ path: String, _ query: [String: String], _ form: [String: String]) -> Answer {
        let parts = path.split(separator: "/").dropFirst().map(String.init)
        if parts.first == "undo" { return undo(parts.last ?? "") }
        switch (method, parts.dropFirst().first, parts.dropFirst(2).first) {
        case ("GET", nil, _): return (200, list(undo: query["did"]), nil)
        case ("GET", "new", _): return (200, editor(id: UUID().uuidString, version: "", title: ""), nil)
        case ("GET", "delete", _): return (200, question(query["id"] ?? ""), nil)
        case ("GET", let id?, _):
            return records[id].map { (200, editor(id: id, version: "\($0.version)", title: $0.title), nil) } ?? (
                404, "", nil
            )
        case ("POST", "delete", _): return delete(form["id"] ?? "")
        case ("POST", "draft", "discard"):
            if lie == .storesCancelledDrafts { records[form["id"] ?? ""] = Record(title: "Kept") }
            return (303, "", nil)
        case ("POST", "draft", _): return (204, "", nil)
        default: return save(form)
        }
    }

    private func delete(_ id: String) -> Answer {
        let commit = UUID().uuidString
        if let record = records[id] { deleted[commit] = (id, record) }
        if lie != .ignoresDeletes { records[id] = nil }
        return (303, "", "/admin/animals?did=\(commit)")
    }

    private func undo(_ commit: String) -> Answer {
        if let (id, record) = deleted.removeValue(forKey: commit), lie != .ignoresUndo { records[id] = record }
        return (303, "", "/admin/animals")
    }

    private func save(_ form: [String: String]) -> Answer {
        guard let id = form["id"], let title = form["name"] else { return (400, "", nil) }
        if title.isEmpty {
            if lie == .storesRefused { records[id] = Record(title: title) }
            return (422, "", nil)
        }
        let isEdit = form["version"] != ""
        if isEdit, let stored = records[id], lie != .overwrites,
            form[".against"] ?? form["version"] != "\(stored.version)"
        {
            return (409, editor(id: id, version: form["version"] ?? "", title: title, against: stored.version), nil)
        }
        let record = Record(title: title, version: (records[id]?.version ?? 0) + 1)
        switch lie {
        case .forgets: break
        case .ignoresEdits where isEdit: break
        case .duplicates: (records[id], records[UUID().uuidString]) = (record, record)
        case .invents: (records[id], records["invented"]) = (record, Record(title: "Yeti"))
        default: records[id] = record
        }
        return (303, "", nil)
    }

    private func list(undo commit: String?) -> String {
        let rows = records.map { id, record in
            "<tr><td><input type=\"checkbox\" name=\"id\" value=\"\(id)\"></td><th scope=\"row\"><a href=\"/admin/animals/\(id)\">\(escape(record.title))</a></th></tr>"
        }
        let undo = commit.map { "<form method=\"post\" action=\"/admin/undo/\($0)\"></form>" } ?? ""
        return "<span data-count=\"\(records.count)\"></span>\(undo)<table><tbody>\(rows.joined())</tbody></table>"
    }

    private func editor(id: String, version: String, title: String, against: Int? = nil) -> String {
        let hidden = ["draft": UUID().uuidString, "id": id, "version": version].map {
            "<input type=\"hidden\" name=\"\($0.key)\" value=\"\($0.value)\">"
        }.joined()
        let comparison =
            against.map {
                "<input type=\"hidden\" name=\".against\" value=\"\($0)\"><input type=\"radio\" name=\".keep.name\" value=\"mine\"><input type=\"radio\" name=\".keep.name\" value=\"theirs\">"
            } ?? ""
        return """
            <form method="post" action="/admin/animals\(version.isEmpty ? "" : "/" + id)">\(hidden)\(comparison)<input type="text" name="name" value="\(escape(title))">
            <button formaction="/admin/animals/draft">Keep</button></form>
            <form method="post" action="/admin/animals/draft/discard">\(hidden)</form>
            """
    }

    private func question(_ id: String) -> String {
        "<form method=\"post\" action=\"/admin/animals/delete\"><input type=\"hidden\" name=\"id\" value=\"\(id)\"><input type=\"hidden\" name=\"changeset\" value=\"1\"></form>"
    }

    private func escape(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
            .replacingOccurrences(of: "<", with: "&lt;")
    }
}

extension FakeAdmin {
    /// Serves the admin on a free port, without sign-in, while `body` runs.
    ///
    /// - Parameter status: The status of a proxy that at times finds no server; nil for none. With 500 it is the
    ///   program that fails, in the handling of a form.
    nonisolated func serve<Value: Sendable>(
        behindProxyWith status: Int? = nil, _ body: @escaping @Sendable (_ origin: String) async throws -> Value
    ) async throws -> Value {
        let router = Router()
        for path in ["/admin/animals", "/admin/animals/**", "/admin/undo/**"] as [RouterPath] {
            for method in [HTTPRequest.Method.get, .post] {
                router.on(path, method: method) { request, _ in
                    let mayFail = request.method == .post || status != 500 && request.uri.path.hasSuffix("/new")
                    if let status, mayFail, await self.isIntercepted() { return Response(status: status, page: "") }
                    return try await self.respond(request)
                }
            }
        }
        return try await serving(router, body)
    }

    nonisolated func respond(_ request: Request) async throws -> Response {
        if request.method == .get, await isRecord(request.uri.path) { await meet() }
        let (status, page, location) = await answer(
            request.method.rawValue, request.uri.path, decodedForm(request.uri.query ?? ""),
            try await request.decodedForm
        )
        return Response(status: status, page: page, headers: location.map { [.location: $0] } ?? [:])
    }
}
