import FoundationEssentials
import Glibc
import Testing

/// The directory of the built modules, which also contains the tests.
private let build: String = {
  let program = CommandLine.arguments[0]
  return String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
}()

private let hasModules = access("\(build)/Modules/Terminal.swiftmodule", R_OK) == 0

/// Checks the compiler's message for a `for` loop in a view.
@Suite(.enabled(if: hasModules)) struct ForLoopMessageTests {
  @Test func aForLoop_isAnsweredWithForEach() throws {
    var path = Array(
      "\(FileManager.default.temporaryDirectory.path)/loop-XXXXXX.swift".utf8CString)
    let file = mkstemps(&path, 6)
    try #require(file >= 0)
    let name = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { unlink(name) }
    let program = """
      import Terminal
      struct Names: View {
        let names: [String]
        var body: some View {
          for name in names { Text(name).padding() }
        }
      }
      """
    _ = program.withCString { write(file, $0, strlen($0)) }
    close(file)
    let command =
      "swiftc -typecheck -swift-version 6 -I '\(build)/Modules' "
      + "-Xcc -fmodule-map-file='\(build)/CTerminal.build/module.modulemap' '\(name)' 2>&1"
    let output = try #require(popen(command, "r"))
    defer { pclose(output) }
    var messages = ""
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case let count = fread(&buffer, 1, buffer.count, output), count > 0 {
      messages += String(decoding: buffer[..<count], as: UTF8.self)
    }
    #expect(messages.contains("Write ForEach(…) { … } instead of a for loop."), "\(messages)")
  }
}
