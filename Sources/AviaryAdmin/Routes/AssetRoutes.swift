import AviaryDesign
import AviaryHTTP
import AviaryPublic
import HTTPTypes
import Hummingbird
import NIOCore

/// The style sheet, the scripts and the icon, served from memory.
///
/// Their address changes with their content, so a browser may cache them forever and a deploy never mixes old and
/// new files.
struct AssetRoutes: Sendable {
    private struct Asset: Sendable {
        let contentType: String
        let body: ByteBuffer
        /// The body compressed with gzip.
        let compressed: ByteBuffer?
    }

    /// The pattern of the path, as the router knows it.
    static let path = "/assets/{version}/{name}"

    private let version: String
    private let assets: [String: Asset]

    init() {
        version = PublicFiles.version
        assets = Dictionary(
            PublicFiles.all.map { file in
                let body = ByteBuffer(bytes: file.bytes)
                return (
                    file.name,
                    Asset(contentType: file.contentType, body: body, compressed: Gzip.compressed(body, level: .small))
                )
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    var pageAssets: PageAssets {
        PageAssets(
            stylesheet: path("aviary.css"), script: path("aviary.js"), icon: path("favicon.svg")
        )
    }

    func add(to router: Router<AdminRequestContext>) {
        let (version, assets) = (version, assets)
        router.get(RouterPath(Self.path)) { request, context in
            guard let name = context.parameters.get("name"), let asset = assets[name] else {
                throw PageError.notFound
            }
            // A page from before a deploy gets the current file, but must not cache it under the old address.
            let isCurrent = context.parameters.get("version") == version
            var headers: HTTPFields = [
                .contentType: asset.contentType,
                .cacheControl: isCurrent ? "public, max-age=31536000, immutable" : "no-store",
                .vary: "Accept-Encoding",
            ]
            guard request.acceptsGzip, let compressed = asset.compressed else {
                return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: asset.body))
            }
            headers[.contentEncoding] = "gzip"
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: compressed))
        }
    }

    func path(_ name: String) -> String {
        "/assets/\(version)/\(name)"
    }
}
