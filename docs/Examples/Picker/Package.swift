// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Picker",
  dependencies: [
    // In a repository of your own: .package(url: "…/lifesignal.git", branch: "main")
    .package(name: "lifesignal", path: "../../..")
  ],
  targets: [
    .executableTarget(
      name: "Picker",
      dependencies: [
        .product(name: "Terminal", package: "lifesignal")
      ]),
    .testTarget(
      name: "PickerTests",
      dependencies: [
        "Picker",
        .product(name: "TerminalTesting", package: "lifesignal"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
