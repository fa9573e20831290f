import Foundation

extension DeploymentCheck {
    var directory: [Finding] {
        guard facts.directoryExists else {
            return [
                .warning(
                    "data-directory", "The data directory \(facts.dataPath) does not exist yet.",
                    "The first start makes it, for its user alone. If it should be there, name it with --data."
                )
            ]
        }
        guard let whole = facts.files.first else {
            return [
                .danger(
                    "data-directory", "The data directory \(facts.dataPath) cannot be looked at.",
                    "Run this as the user that serves."
                )
            ]
        }
        var findings: [Finding] = []
        if !whole.isPrivate {
            findings.append(
                .danger(
                    "data-directory",
                    "Others than its owner may get into \(whole.path): its mode is \(Self.octal(whole)).",
                    "chmod 700 \(whole.path)"
                ))
        }
        let foreign = facts.files.filter { !$0.isOurs }
        if let first = foreign.first {
            findings.append(
                .danger(
                    "owner", "\(first.path)\(Self.others(foreign.count - 1)) belongs to another user than this one.",
                    "Run this as the user that serves, or: chown -R USER \(whole.path)"
                ))
        }
        let open = facts.files.dropFirst().filter { !$0.isPrivate }
        if let first = open.first {
            let text =
                "Others may get at \(first.path)\(Self.others(open.count - 1)): its mode is \(Self.octal(first))."
            let advice = "chmod -R go= \(whole.path)"
            // Nobody comes that far, and one change of the directory's mode would let them.
            findings.append(whole.isPrivate ? .warning("files", text, advice) : .danger("files", text, advice))
        }
        return findings.isEmpty ? [.ok("data-directory", "The data directory belongs to this user alone.")] : findings
    }

    private static func octal(_ file: DeploymentFacts.PrivateFile) -> String {
        "0" + String(file.permissions & 0o7777, radix: 8)
    }

    private static func others(_ count: Int) -> String {
        count == 0 ? "" : " and \(count) more"
    }
}
