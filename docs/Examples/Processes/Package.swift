// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Processes",
  dependencies: [
    // In a repository of your own: .package(url: "…/lifesignal.git", branch: "main")
    .package(name: "lifesignal", path: "../../..")
  ],
  targets: [
    .executableTarget(
      name: "ProcessMonitor",
      dependencies: [
        .product(name: "Terminal", package: "lifesignal")
      ]),
    .testTarget(
      name: "ProcessMonitorTests",
      dependencies: [
        "ProcessMonitor",
        .product(name: "ComposableTesting", package: "lifesignal"),
        .product(name: "TerminalTesting", package: "lifesignal"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
