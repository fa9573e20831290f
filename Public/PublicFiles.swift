/// What browsers load beside the pages: what lies in this folder, without its comments.
package enum PublicFiles {
    package struct File: Sendable {
        package let name: String
        package let contentType: String
        package let bytes: [UInt8]
    }

    /// All of them together, which is what pages ask for: one request instead of several.
    private static let styleSheets =
        PackageResources.aviary_css + PackageResources.activity_css + PackageResources.lists_css + PackageResources.sheets_css

    private static let sources: [File] = [
        File(name: "aviary.css", contentType: styleSheet, bytes: styleSheets),
        File(name: "activity.css", contentType: styleSheet, bytes: PackageResources.activity_css),
        File(name: "lists.css", contentType: styleSheet, bytes: PackageResources.lists_css),
        File(name: "sheets.css", contentType: styleSheet, bytes: PackageResources.sheets_css),
        File(name: "answer.js", contentType: script, bytes: PackageResources.answer_js),
        File(name: "aviary.js", contentType: script, bytes: PackageResources.aviary_js),
        File(name: "batch.js", contentType: script, bytes: PackageResources.batch_js),
        File(name: "client-validation.js", contentType: script, bytes: PackageResources.client_validation_js),
        File(name: "deletion.js", contentType: script, bytes: PackageResources.deletion_js),
        File(name: "drafts.js", contentType: script, bytes: PackageResources.drafts_js),
        File(name: "focus.js", contentType: script, bytes: PackageResources.focus_js),
        File(name: "keys.js", contentType: script, bytes: PackageResources.keys_js),
        File(name: "pending-draft.js", contentType: script, bytes: PackageResources.pending_draft_js),
        File(name: "pickers.js", contentType: script, bytes: PackageResources.pickers_js),
        File(name: "question.js", contentType: script, bytes: PackageResources.question_js),
        File(name: "rows.js", contentType: script, bytes: PackageResources.rows_js),
        File(name: "saving.js", contentType: script, bytes: PackageResources.saving_js),
        File(name: "selection.js", contentType: script, bytes: PackageResources.selection_js),
        File(name: "sheet.js", contentType: script, bytes: PackageResources.sheet_js),
        File(name: "swipe.js", contentType: script, bytes: PackageResources.swipe_js),
        File(name: "toast.js", contentType: script, bytes: PackageResources.toast_js),
        File(name: "text.js", contentType: script, bytes: PackageResources.text_js),
        File(name: "zones.js", contentType: script, bytes: PackageResources.zones_js),
        File(name: "favicon.svg", contentType: icon, bytes: PackageResources.favicon_svg),
    ]

    package static let all = sources.map { file in
        file.contentType == icon ? file : File(name: file.name, contentType: file.contentType, bytes: LeanText.bytes(of: file.bytes))
    }

    /// 64 bits of FNV-1a over all files: changes whenever one of them does.
    package static let version: String = {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for file in all {
            for byte in file.bytes {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        return String(hash, radix: 36)
    }()

    private static let styleSheet = "text/css; charset=utf-8"
    private static let script = "text/javascript; charset=utf-8"
    private static let icon = "image/svg+xml"
}

/// Style sheets and scripts as they are sent: without comments, indentation and empty lines, which are a tenth of their weight.
///
/// Only what has whole lines is taken away, and line ends stay, so a script means what it meant.
enum LeanText {
    static func bytes(of source: [UInt8]) -> [UInt8] {
        var lean: [UInt8] = []
        lean.reserveCapacity(source.count)
        var isInComment = false
        for line in source.split(separator: UInt8(ascii: "\n")) {
            let text = line.drop { $0 == UInt8(ascii: " ") }
            if isInComment {
                isInComment = !ends(text)
            } else if begins(text, with: "/*") {
                // What follows a comment in its line is kept, and the comment with it.
                if ends(text) || !contains(text) { isInComment = !ends(text) } else { append(text, to: &lean) }
            } else if !text.isEmpty, !begins(text, with: "//") {
                append(text, to: &lean)
            }
        }
        return lean
    }

    private static func append(_ line: ArraySlice<UInt8>, to lean: inout [UInt8]) {
        lean += line
        lean.append(UInt8(ascii: "\n"))
    }

    private static func begins(_ line: ArraySlice<UInt8>, with mark: String) -> Bool { line.starts(with: mark.utf8) }

    private static func ends(_ line: ArraySlice<UInt8>) -> Bool { line.suffix(2).elementsEqual("*/".utf8) }

    private static func contains(_ line: ArraySlice<UInt8>) -> Bool {
        zip(line, line.dropFirst()).contains { $0 == UInt8(ascii: "*") && $1 == UInt8(ascii: "/") }
    }
}
