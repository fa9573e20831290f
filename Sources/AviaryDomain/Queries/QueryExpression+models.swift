extension QueryExpression {
    /// The models whose records it looks at beside its own.
    package var relatedModels: [ModelSchema] {
        switch self {
        case .related(let path, let condition): [path.model] + condition.relatedModels
        case .and(let left, let right), .or(let left, let right): left.relatedModels + right.relatedModels
        case .not(let condition): condition.relatedModels
        // Only these stand above a condition that no predicate is made of.
        default: []
        }
    }
}
