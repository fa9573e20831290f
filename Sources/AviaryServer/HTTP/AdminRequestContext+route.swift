import Hummingbird

extension AdminRequestContext {
    /// The pattern that the request's path matched, such as `/admin/{model}/{id}`: one of a closed set, unlike the path.
    var route: String {
        guard let endpointPath, endpointPath.hasPrefix("/") else { return "none" }
        return endpointPath
    }
}
