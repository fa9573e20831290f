// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Observatory",
    platforms: [.macOS(.v15)],
    // With a name, the folder of the clone may have any other. A package elsewhere names the address of the repository.
    dependencies: [.package(name: "Aviary", path: "../..")],
    targets: [
        .executableTarget(
            name: "observatory", dependencies: [.product(name: "Aviary", package: "Aviary")], path: "Sources"),
        .testTarget(
            name: "ObservatoryTests",
            dependencies: ["observatory", .product(name: "AviaryTesting", package: "Aviary")], path: "Tests"),
    ]
)
