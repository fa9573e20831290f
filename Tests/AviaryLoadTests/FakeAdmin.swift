import Foundation

/// An admin in memory that can lie: what the checker must find out.
actor FakeAdmin {
    enum Lie: Sendable, CaseIterable {
        /// Acknowledges and stores nothing.
        case forgets
        /// Stores every save anew, under one more id.
        case duplicates
        case ignoresDeletes
        case ignoresEdits
        case storesCancelledDrafts
        case storesRefused
        /// Has records that nobody asked for.
        case invents
    }

    private var lie: Lie?
    private var titles: [String: String] = [:]

    init(_ lie: Lie?) {
        self.lie = lie
    }

    /// The fake's answer: status and page.
    func answer(_ method: String, _ path: String, _ query: [String: String], _ form: [String: String]) -> (Int, String) {
        let parts = path.split(separator: "/").dropFirst(2).map(String.init)
        switch (method, parts.first, parts.dropFirst().first) {
        case ("GET", nil, _): return (200, list)
        case ("GET", "new", _): return (200, editor(id: UUID().uuidString, version: "", title: ""))
        case ("GET", "delete", _): return (200, question(query["id"] ?? ""))
        case ("GET", let id?, _): return titles[id].map { (200, editor(id: id, version: "1", title: $0)) } ?? (404, "")
        case ("POST", "delete", _):
            if lie != .ignoresDeletes { titles[form["id"] ?? ""] = nil }
            return (303, "")
        case ("POST", "draft", "discard"):
            if lie == .storesCancelledDrafts { titles[form["id"] ?? ""] = "Kept" }
            return (303, "")
        case ("POST", "draft", _): return (204, "")
        default: return save(form)
        }
    }

    private func save(_ form: [String: String]) -> (Int, String) {
        guard let id = form["id"], let title = form["name"] else { return (400, "") }
        if title.isEmpty {
            if lie == .storesRefused { titles[id] = title }
            return (422, "")
        }
        let isEdit = form["version"] != ""
        switch lie {
        case .forgets: break
        case .ignoresEdits where isEdit: break
        case .duplicates: (titles[id], titles[UUID().uuidString]) = (title, title)
        case .invents: (titles[id], titles["invented"]) = (title, "Yeti")
        default: titles[id] = title
        }
        return (303, "")
    }

    private var list: String {
        let rows = titles.map { id, title in
            "<tr><td><input type=\"checkbox\" name=\"id\" value=\"\(id)\"></td><th scope=\"row\"><a href=\"/admin/animals/\(id)\">\(escape(title))</a></th></tr>"
        }
        return "<span data-count=\"\(titles.count)\"></span><table><tbody>\(rows.joined())</tbody></table>"
    }

    private func editor(id: String, version: String, title: String) -> String {
        let hidden = ["draft": UUID().uuidString, "id": id, "version": version].map {
            "<input type=\"hidden\" name=\"\($0.key)\" value=\"\($0.value)\">"
        }.joined()
        return """
            <form method="post" action="/admin/animals\(version.isEmpty ? "" : "/" + id)">\(hidden)<input type="text" name="name" value="\(escape(title))">
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
