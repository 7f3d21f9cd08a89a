import FoundationEssentials
import Glibc
import Testing

/// The folder with the modules of this build, beside the test program.
private let modules: String = {
  let program = CommandLine.arguments[0]
  return program[..<(program.lastIndex(of: "/") ?? program.startIndex)] + "/Modules"
}()

private let hasModules = access("\(modules)/Composable.swiftmodule", R_OK) == 0

/// The compiler's messages about the most common mistakes.
@Suite(.enabled(if: hasModules)) struct CompilerMessageTests {
  /// Returns the compiler's messages about a program that imports the module.
  private func messages(_ program: String) throws -> String {
    var path = Array(
      "\(FileManager.default.temporaryDirectory.path)/lifesignal-XXXXXX.swift".utf8CString)
    let file = mkstemps(&path, 6)
    try #require(file >= 0)
    let name = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { unlink(name) }
    let text = "import Composable\nimport ComposableFoundation\n" + program
    _ = text.withCString { write(file, $0, strlen($0)) }
    close(file)
    let command = "swiftc -typecheck -swift-version 6 -I '\(modules)' '\(name)' 2>&1"
    let output = try #require(popen(command, "r"))
    defer { pclose(output) }
    var messages = ""
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = fread(&buffer, 1, buffer.count, output)
      if count == 0 { return messages }
      messages += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  @Test func aReducerWithNeitherBodyNorFunction() throws {
    let messages = try messages(
      """
      struct Feature: Reducer {
        typealias State = Int
        typealias Action = Int
      }
      """)
    #expect(
      messages.contains("A reducer needs a `body`, or a function `reduce(into:action:)`."),
      "\(messages)")
  }

  @Test func aMisspeltDependency() throws {
    let messages = try messages(
      """
      struct Feature {
        @Dependency(\\.contiuousClock) var clock
        @Dependency(\\.date) var date
      }
      """)
    #expect(
      messages.contains("value of type 'DependencyValues' has no member 'contiuousClock'"),
      "\(messages)")
    #expect(!messages.contains("data races"), "\(messages)")
    #expect(!messages.contains("'date'"), "\(messages)")
  }

  /// The message if code calls a reducer with children, whose effects would outlive them.
  private static let isCalled =
    "A reducer with a `body` can't be called: list it in a `body`, or run it with `Scope`, `ifLet` "
    + "or `forEach`."

  @Test(arguments: [
    "_ = base.reduce(into: &state, action: action)",
    "_ = Feature().reduce(into: &number, action: 1)",
    "_ = feature.reduce(into: &number, action: 1)",
    "_ = Reduce<Int, Int> { feature.reduce(into: &$0, action: $1) }",
  ])
  func aReducerWithABodyCannotBeCalled(call: String) throws {
    let messages = try messages(
      """
      struct Feature: Reducer {
        var body: some Reducer<Int, Int> { EmptyReducer() }
      }

      func run<Base: Reducer>(_ base: Base, _ state: inout Base.State, _ action: Base.Action) {
        var number = 0
        let feature = EmptyReducer<Int, Int>().onChange(of: { $0 }) { _, _ in EmptyReducer() }
        \(call)
      }
      """)
    #expect(messages.contains("error: 'reduce(into:action:_:)' is unavailable: \(Self.isCalled)"))
  }

  @Test func aReducerWithoutABodyCanBeCalled() throws {
    let messages = try messages(
      """
      struct Counter: Reducer {
        func reduce(into state: inout Int, action: Int) -> Effect<Int> {
          state += action
          return action > 1 ? reduce(into: &state, action: action - 1) : .none
        }
      }

      func run(_ number: inout Int) { _ = Counter().reduce(into: &number, action: 2) }
      """)
    #expect(messages.isEmpty)
  }
}
