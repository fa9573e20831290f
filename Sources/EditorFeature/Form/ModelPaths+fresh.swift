package import AviaryDomain
import Foundation

extension ModelPaths {
    /// An empty sheet at an address of its own: it names the draft before anything is typed, so that Back and a reload find it.
    package func fresh(_ fields: [FormField] = []) -> String {
        new.withQuery(FormEncoding.encode([FormField(name: "draft", value: UUID.version7().canonicalText)] + fields))
    }
}
