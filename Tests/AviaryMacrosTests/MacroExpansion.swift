import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

let macros: [String: any Macro.Type] = [
    "Model": ModelMacro.self,
    "Attribute": AttributeMacro.self,
    "Relationship": RelationshipMacro.self,
    "Transient": TransientMacro.self,
    "Unique": PropertyGroupMacro.self,
    "Index": PropertyGroupMacro.self,
    "Embedded": EmbeddedMacro.self,
]

private let macroSpecs = macros.mapValues { MacroSpec(type: $0, conformances: ["Model"]) }

func expectExpansion(
    of source: String, _ expanded: String,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    assertMacroExpansion(
        source, expandedSource: expanded, macroSpecs: macroSpecs,
        failureHandler: { failure in
            Issue.record(
                Comment(rawValue: failure.message),
                sourceLocation: SourceLocation(
                    fileID: "\(failure.location.fileID)", filePath: "\(failure.location.filePath)",
                    line: Int(failure.location.line), column: Int(failure.location.column)
                ))
        },
        fileID: fileID, filePath: filePath, line: line, column: column
    )
}

/// The diagnostics of the macros for a source, without a check of the expansion.
struct MacroDiagnostics {
    private(set) var messages: [String] = []
    /// The declaration after each fix-it was applied, by the title of the fix-it.
    private(set) var fixes: [String: String] = [:]

    init(of source: String) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")]
        )
        _ = file.expand(macroSpecs: macroSpecs) {
            BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
        }
        for diagnostic in context.diagnostics {
            let line = context.location(for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "").line
            messages.append("\(line): \(diagnostic.message)")
            for fixIt in diagnostic.fixIts {
                fixes[fixIt.message.message] = fixIt.applied()
            }
        }
    }
}

extension FixIt {
    /// Returns the source with all changes applied, the last one first so that the positions of the others stay
    /// valid.
    fileprivate func applied() -> String {
        var text: [UInt8] = []
        let replacements = changes.compactMap { change -> (old: Syntax, new: Syntax)? in
            guard case .replace(let old, let new) = change else { return nil }
            return (old, new)
        }
        for (old, new) in replacements.sorted(by: { $0.old.position > $1.old.position }) {
            if text.isEmpty { text = Array(old.root.description.utf8) }
            text.replaceSubrange(old.position.utf8Offset..<old.endPosition.utf8Offset, with: new.description.utf8)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension MacroDiagnostics {
    /// Creates the diagnostics of a property on line 2 of a model.
    init(ofProperty property: String) {
        self.init(of: "@Model struct Animal {\n    \(property)\n}")
    }
}
