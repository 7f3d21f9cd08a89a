// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target: upcoming features that make imports and existentials explicit, so
/// that a module's interface shows what it exposes.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Whether continuous integration builds. It has one build, a debug build that optimizes some
/// modules.
let isContinuousIntegration = Context.environment["CONTINUOUS_INTEGRATION"] != nil

/// The settings of the modules in which tests spend most of their time, and of those that touch C,
/// where a mistake may show only in optimized code. Continuous integration optimizes them in its
/// debug build, and keeps their assertions.
let optimizedSettings =
  settings
  + (isContinuousIntegration
    ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : [])

/// Declares a Swift module. `docs/architecture.md` shows which modules each one can import.
func module(
  _ name: String, uses dependencies: [Target.Dependency] = [], path: String? = nil,
  resources: [Resource]? = nil, settings: [SwiftSetting] = settings
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path, resources: resources,
    swiftSettings: settings)
}

/// Declares a system library and the Debian package with its headers.
func system(_ name: String, pkgConfig: String, package: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// Declares a C module, for functions that Swift can't call.
func c(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/C/\(name)",
    cSettings: isContinuousIntegration ? [.unsafeFlags(["-O2"])] : [],
    cxxSettings: isContinuousIntegration ? [.unsafeFlags(["-O2"])] : [])
}

func program(
  _ name: String, uses dependencies: [Target.Dependency], path: String? = nil,
  settings: [SwiftSetting] = settings
) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

/// Declares a program for developers of LifeSignal, which is not shipped.
func tool(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
  program(name, uses: dependencies, path: "Sources/Tools/\(name)")
}

func tests(
  of name: String, uses dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.target(name: name)] + dependencies, exclude: exclude,
    swiftSettings: settings)
}

let package = Package(
  name: "lifesignal",
  products: [
    .library(name: "Composable", targets: ["Composable"]),
    .library(name: "ComposableFoundation", targets: ["ComposableFoundation"]),
    .library(name: "ComposableTesting", targets: ["ComposableTesting"]),
    .library(name: "Terminal", targets: ["Terminal"]),
    .library(name: "TerminalComposable", targets: ["TerminalComposable"]),
    .library(name: "TerminalExtras", targets: ["TerminalExtras"]),
    .library(name: "TerminalTesting", targets: ["TerminalTesting"]),
    .executable(name: "lifesignal", targets: ["lifesignal"]),
    .executable(name: "lifesignal-monitor", targets: ["lifesignal-monitor"]),
    .executable(name: "lifesignal-server", targets: ["lifesignal-server"]),
  ],
  targets: [
    // System libraries, and shims for C that Swift can't call.
    system("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    system("CPostgreSQL", pkgConfig: "libpq", package: "libpq-dev"),
    // Only libcurl's headers: the library is loaded when first needed.
    c("CCurlShim"),
    system("CSodium", pkgConfig: "libsodium", package: "libsodium-dev"),
    system("CQRencode", pkgConfig: "libqrencode", package: "libqrencode-dev"),
    system("CPNG", pkgConfig: "libpng", package: "libpng-dev"),
    system("CJPEG", pkgConfig: "libjpeg", package: "libjpeg62-turbo-dev"),
    c("CJPEGShim", uses: ["CJPEG"]),
    system("CZXing", pkgConfig: "zxing", package: "libzxing-dev"),
    c("CZXingShim", uses: ["CZXing"]),
    system("CMicroHTTPD", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev"),
    c("CMicroHTTPDShim", uses: ["CMicroHTTPD"]),
    c("CTerminal"),
    c("CProcess"),

    // Starting other programs.
    module("Processes", uses: ["CProcess"], settings: optimizedSettings),

    // The core.
    module("Composable", settings: optimizedSettings),
    // What of the core needs Foundation: dates, identifiers, JSON.
    module("ComposableFoundation", uses: ["Composable"], settings: optimizedSettings),
    module("ComposableTesting", uses: ["Composable"]),

    // The terminal.
    module("Terminal", uses: ["CTerminal"], settings: optimizedSettings),
    module("TerminalComposable", uses: ["Terminal", "Composable"]),
    module(
      "TerminalTesting", uses: ["Terminal", "CTerminal", "Processes"], settings: optimizedSettings),

    // The product.
    module("Domain"),
    module(
      "Clients", uses: ["Composable", "Domain"], resources: [.embedInCode("Resources")]),
    module(
      "Features",
      uses: ["Composable", "ComposableFoundation", "Terminal", "Clients", "Domain"]),
    // Password hashes, random tokens, signatures, and identities derived from what they name, with
    // libsodium.
    module("Cryptography", uses: ["Domain", "CSodium"], settings: optimizedSettings),
    // Running other programs without a shell and with a time limit; files on this machine, and
    // downloads.
    module("System", uses: ["Processes", "Clients", "Domain"], settings: optimizedSettings),
    // The product's rules, over any SQL connection.
    module(
      "Store", uses: ["Clients", "Domain", "Composable", "Cryptography"],
      resources: [.embedInCode("Resources")], settings: optimizedSettings),
    // The store's engine for one machine: SQLite, the files beside it, and the clients for both.
    module(
      "SQLite",
      uses: ["Store", "Clients", "Domain", "Composable", "Cryptography", "System", "CSQLite"],
      settings: optimizedSettings),
    // The store's engine for several machines: PostgreSQL, through libpq. The app doesn't link it.
    module(
      "PostgreSQL",
      uses: ["Store", "Clients", "Domain", "Composable", "Cryptography", "CPostgreSQL"],
      resources: [.embedInCode("Resources")], settings: optimizedSettings),
    module(
      "Monitor", uses: ["Clients", "Domain", "Composable", "Cryptography"],
      settings: optimizedSettings),
    // libcurl: the HTTP client, and the options that every transfer needs.
    module(
      "Curl", uses: ["Clients", "Domain", "System", "CCurlShim"], settings: optimizedSettings),
    module(
      "Delivery",
      uses: ["Clients", "Domain", "Cryptography", "System", "Curl", "CCurlShim"],
      resources: [.embedInCode("Resources")], settings: optimizedSettings),
    // The pages behind links in messages, served with libmicrohttpd.
    module(
      "Web", uses: ["Clients", "Domain", "CMicroHTTPD", "CMicroHTTPDShim"],
      settings: optimizedSettings),

    // The server's protocol: one table of routes for the server and its clients.
    module("ServerProtocol", uses: ["Clients", "Domain", "Composable"]),

    // The app's side of a server: clients that send requests with libcurl, which is loaded when
    // first needed.
    module(
      "SharedPlatform",
      uses: [
        "ServerProtocol", "Store", "Clients", "Domain", "Composable", "Cryptography", "SQLite",
        "Curl",
      ], settings: optimizedSettings),

    // Profile pictures and QR codes, with libpng, libjpeg-turbo, libqrencode and zxing-cpp.
    module(
      "Images", uses: ["Clients", "Domain", "CQRencode", "CPNG", "CJPEGShim", "CZXingShim"],
      settings: optimizedSettings),

    // The programs.
    module(
      "CommandLine",
      uses: [
        "Composable", "ComposableFoundation", "Terminal", "Domain", "Clients", "Features",
        "SQLite", "SharedPlatform", "Images", "System", "Processes", "Monitor",
      ],
      resources: [.embedInCode("Resources")]),
    program("lifesignal", uses: ["CommandLine", "System"]),
    module(
      "MonitorProgram",
      uses: [
        "Monitor", "Delivery", "Web", "SQLite", "PostgreSQL", "System", "Clients", "Domain",
        "Composable", "ComposableFoundation",
      ]),
    program("lifesignal-monitor", uses: ["MonitorProgram", "System"]),
    // Accounts of people on different machines, served over HTTPS and JSON.
    module(
      "Server",
      uses: [
        "ServerProtocol", "Web", "Store", "SQLite", "PostgreSQL", "Cryptography", "System",
        "Clients", "Domain", "Composable",
      ]),
    program("lifesignal-server", uses: ["Server", "System"]),

    // Views that the product doesn't need: Markdown, tables and sparklines.
    module("TerminalExtras", uses: ["Terminal"], path: "Sources/Tools/TerminalExtras"),
    // Shows every view of the terminal live: `swift run gallery`.
    tool("gallery", uses: ["Composable", "Terminal", "TerminalExtras"]),

    // A private PostgreSQL server for tests, simulations and measurements.
    module(
      "PostgresTesting", uses: ["PostgreSQL", "Store", "Processes"],
      path: "Sources/Tools/PostgresTesting"),

    // Random people and monitors on a simulated clock; `make simulate`.
    module(
      "Simulation",
      uses: [
        "Monitor", "SQLite", "PostgreSQL", "PostgresTesting", "Cryptography", "Clients", "Domain",
        "Composable",
      ], path: "Sources/Tools/Simulation", settings: optimizedSettings),
    tool("set-times", uses: ["Domain"]),
    tool("simulate", uses: ["Simulation"]),

    // Measurements; `make bench`.
    module("Benching", uses: ["AllocationCounter", "CTerminal"], path: "Sources/Tools/Benching"),
    tool("TerminalBench", uses: ["Benching", "Composable", "Terminal"]),
    tool(
      "TerminalDriver",
      uses: ["Benching", "Terminal", "TerminalTesting", "CTerminal", "Processes"]),
    // Random input; `make fuzz`.
    tool("TerminalFuzz", uses: ["TerminalTesting", "Composable"]),
    // One account with a great deal of everything; `make bench-account`.
    tool(
      "AccountBench",
      uses: [
        "Benching", "Composable", "Terminal", "TerminalTesting", "Domain", "Clients", "Features",
        "SQLite", "CSQLite", "Processes",
      ]),
    tool(
      "MonitorBench",
      uses: ["Monitor", "SQLite", "Clients", "Domain", "Composable", "CSQLite"]),
    // The capacity of a server; `make bench-server`.
    tool(
      "ServerBench",
      uses: [
        "Server", "ServerTesting", "ServerProtocol", "Web", "Store", "SQLite", "PostgreSQL",
        "PostgresTesting", "Monitor", "System", "Processes", "Cryptography", "Clients", "Domain",
        "Composable",
      ]),
    tool(
      "CoreBench",
      uses: [
        "Benching", "AllocationCounter", "Composable", "ComposableFoundation", "ComposableTesting",
      ]),

    // The tests.
    // Temporary folders, clocks, and expected errors.
    .target(
      name: "TestSupport", dependencies: ["Composable"], path: "Tests/TestSupport",
      swiftSettings: settings),
    tests(of: "Composable", uses: ["ComposableFoundation", "ComposableTesting", "TestSupport"]),
    tests(of: "ComposableFoundation", uses: ["Composable", "ComposableTesting"]),
    tests(of: "ComposableTesting"),
    // A full-screen program that the terminal tests run in a PTY.
    program(
      "terminal-probe", uses: ["Terminal", "CTerminal", "Composable", "TerminalComposable"],
      path: "Tests/TerminalProbe"),
    // Exercises everything that touches C in optimized code; `make probe-c`.
    program(
      "c-probe",
      uses: [
        "Images", "Cryptography", "SQLite", "PostgreSQL", "PostgresTesting", "Delivery", "Web",
        "DeliveryTesting", "SharedPlatform", "ServerProtocol", "CCurlShim",
        "System", "Processes", "Clients", "Domain", "Composable", "Terminal", "TerminalTesting",
        "TestSupport",
      ], path: "Tests/CProbe", settings: optimizedSettings),
    // A counting malloc, for tests of code that must not allocate and for a benchmark.
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    tests(
      of: "Terminal",
      uses: [
        "TerminalTesting", "TerminalExtras", "gallery", "terminal-probe", "AllocationCounter",
        "Composable", "ComposableTesting",
      ],
      exclude: ["Gallery/__Snapshots__"]),
    tests(of: "Domain", uses: ["Composable"]),
    // What wraps the machine and its libraries.
    tests(
      of: "System",
      uses: [
        "Processes", "Cryptography", "Images", "Composable", "Clients", "Domain", "TestSupport",
      ]),
    tests(of: "Clients", uses: ["ComposableTesting"]),
    tests(
      of: "Features",
      uses: [
        "ComposableFoundation", "ComposableTesting", "TerminalTesting", "TestSupport",
        "AllocationCounter",
      ],
      exclude: ["__Snapshots__"]),
    tests(
      of: "SQLite",
      uses: [
        "Store", "System", "Processes", "Clients", "Domain", "CSQLite", "Monitor", "Composable",
        "ComposableFoundation", "Cryptography", "ComposableTesting", "TestSupport",
        "AllocationCounter",
      ]),
    .testTarget(
      name: "PlatformContractTests",
      dependencies: [
        "Store", "SQLite", "PostgreSQL", "PostgresTesting", "SharedPlatform", "Server", "System",
        "ServerTesting", "Clients", "Domain", "Composable", "Cryptography", "ComposableTesting",
        "Monitor",
        "TestSupport",
      ],
      swiftSettings: settings),
    tests(
      of: "Monitor",
      uses: [
        "SQLite", "Processes", "Cryptography", "ComposableFoundation", "ComposableTesting",
        "DeliveryTesting", "TestSupport", "CTerminal", "PostgreSQL", "PostgresTesting",
        "lifesignal-monitor", "Simulation", "simulate",
      ]),
    // Mail and HTTP servers that misbehave on demand.
    .target(
      name: "DeliveryTesting", path: "Tests/DeliveryTesting", swiftSettings: settings),
    tests(of: "Delivery", uses: ["DeliveryTesting", "TestSupport"]),
    // A server in the test process, apps that use it over HTTP, and values of every type in the
    // protocol.
    .target(
      name: "ServerTesting",
      dependencies: [
        "Server", "ServerProtocol", "Web", "Store", "SQLite", "Clients", "Domain", "Composable",
        "Cryptography", "TestSupport",
      ], path: "Tests/ServerTesting", swiftSettings: settings),
    // The server, its protocol and pages, and the apps that use it.
    tests(
      of: "Server",
      uses: [
        "ServerTesting", "ServerProtocol", "SharedPlatform", "Web", "Store", "SQLite",
        "PostgreSQL", "PostgresTesting", "DeliveryTesting", "Clients", "Curl", "Domain",
        "Composable", "ComposableTesting", "Cryptography", "Monitor", "TestSupport",
        "lifesignal-server",
      ]),
    tests(
      of: "CommandLine",
      uses: [
        "SQLite", "SharedPlatform", "Monitor", "ComposableFoundation", "ComposableTesting",
        "Features", "Terminal", "TerminalTesting", "TestSupport",
      ],
      exclude: ["__Snapshots__"]),
    // The programs with a clock that tests can move.
    program(
      "clocked-lifesignal",
      uses: [
        "CommandLine", "MonitorProgram", "Server", "SQLite", "Clients", "Cryptography", "Domain",
      ],
      path: "Tests/ClockedLifeSignal"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Terminal", "TerminalTesting", "DeliveryTesting", "TestSupport", "lifesignal",
        "lifesignal-monitor",
        "clocked-lifesignal",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// Measurements and random input are neither shipped nor tested. A build of all the rest, as for the
// tests, shouldn't wait for them. Continuous integration counts the work that three of them do.
if Context.environment["BENCHES"] == nil {
  let counted: Set = ["Benching", "AccountBench", "CoreBench", "TerminalBench"]
  let others: Set = ["MonitorBench", "ServerBench", "TerminalDriver", "TerminalFuzz"]
  let unbuilt = isContinuousIntegration ? others : others.union(counted)
  package.targets.removeAll { unbuilt.contains($0.name) }
}
