/// What browsers load beside the pages, as it lies in this folder.
package enum PublicFiles {
    package struct File: Sendable {
        package let name: String
        package let contentType: String
        package let bytes: [UInt8]
    }

    package static let all: [File] = [
        File(name: "aviary.css", contentType: styleSheet, bytes: PackageResources.aviary_css),
        File(name: "aviary.js", contentType: script, bytes: PackageResources.aviary_js),
        File(name: "deletion.js", contentType: script, bytes: PackageResources.deletion_js),
        File(name: "drafts.js", contentType: script, bytes: PackageResources.drafts_js),
        File(name: "question.js", contentType: script, bytes: PackageResources.question_js),
        File(name: "selection.js", contentType: script, bytes: PackageResources.selection_js),
        File(name: "sheet.js", contentType: script, bytes: PackageResources.sheet_js),
        File(name: "swipe.js", contentType: script, bytes: PackageResources.swipe_js),
        File(name: "toast.js", contentType: script, bytes: PackageResources.toast_js),
        File(name: "favicon.svg", contentType: "image/svg+xml", bytes: PackageResources.favicon_svg),
    ]

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
}
