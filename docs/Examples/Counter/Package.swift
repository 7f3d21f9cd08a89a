// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Counter",
  dependencies: [
    // In a repository of your own: .package(url: "…/lifesignal.git", branch: "main")
    .package(name: "lifesignal", path: "../../..")
  ],
  targets: [
    .executableTarget(
      name: "Counter",
      dependencies: [
        .product(name: "Composable", package: "lifesignal"),
        .product(name: "Terminal", package: "lifesignal"),
        .product(name: "TerminalComposable", package: "lifesignal"),
      ]),
    .testTarget(
      name: "CounterTests",
      dependencies: [
        "Counter",
        .product(name: "ComposableTesting", package: "lifesignal"),
        .product(name: "TerminalTesting", package: "lifesignal"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
