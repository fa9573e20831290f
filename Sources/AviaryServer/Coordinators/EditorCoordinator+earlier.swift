import ActivityFeature
import AviaryDomain
import EditorFeature
import Foundation

extension EditorCoordinator {
    /// Fills the sheet with what the record held once, where the address asks for that: `earlier=`, a change's number.
    func fillInEarlier(
        _ editor: inout EditorViewModel, of record: Record, model: AdminModel, hasDraft: Bool,
        context: AdminRequestContext
    ) async throws {
        guard let text = context.query.value("earlier") else { return }
        guard !hasDraft else {
            return editor.say(
                EditorMessage(
                    .warning, localized("This is your draft, not the earlier version: save or discard it first.")))
        }
        let scope = site.activityScope(of: try context.principal)
        let version: EarlierVersion? = try await reading {
            guard let number = Int64(text) else { return nil }
            return try await EarlierVersion(
                of: record, in: model.schema, after: number, scope: scope, history: site.container.history
            )
        }
        guard let version else {
            return editor.say(
                EditorMessage(
                    .warning, localized("The history does not reach back to this version. These are the stored values.")
                ))
        }
        editor.fillIn(version.values)
        let time = DateWords.dateAndTime(version.time.rfc3339 ?? "")
        editor.say(
            EditorMessage(
                .information,
                localized(
                    "These are the values of \(time), as \(Words.author(version.author)) saved them. Nothing is changed before you save."
                )))
    }
}
