package import AviaryDomain

/// The addresses of the pages of backups.
package enum BackupPaths {
    package static let all = ModelPaths.admin + "/backups"
    package static let upload = all + "/upload"

    package static func backup(_ name: String) -> String { all + "/" + FormEncoding.escape(name) }
    package static func download(_ name: String) -> String { backup(name) + "/download" }
    package static func prove(_ name: String) -> String { backup(name) + "/prove" }
    package static func inspect(_ name: String) -> String { backup(name) + "/inspect" }
    package static func restore(_ name: String) -> String { backup(name) + "/restore" }
}
