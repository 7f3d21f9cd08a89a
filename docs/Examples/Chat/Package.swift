// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Chat",
  dependencies: [
    // In a repository of your own: .package(url: "…/lifesignal.git", branch: "main")
    .package(name: "lifesignal", path: "../../..")
  ],
  targets: [
    .executableTarget(
      name: "Chat",
      dependencies: [
        .product(name: "Composable", package: "lifesignal"),
        .product(name: "Terminal", package: "lifesignal"),
        .product(name: "TerminalComposable", package: "lifesignal"),
      ]),
    .testTarget(
      name: "ChatTests",
      dependencies: [
        "Chat",
        .product(name: "ComposableTesting", package: "lifesignal"),
        .product(name: "TerminalTesting", package: "lifesignal"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
