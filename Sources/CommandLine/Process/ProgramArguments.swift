/// The command line's arguments without the program's name.
enum ProgramArguments {
  static var current: [String] {
    // Swift's own list is empty if a preloaded library has moved the environment. The kernel's list
    // is always available.
    let arguments = Swift.CommandLine.arguments
    return Array((arguments.isEmpty ? fromKernel : arguments).dropFirst())
  }

  private static var fromKernel: [String] {
    let bytes = try? bytesOfFile(at: "/proc/self/cmdline", limit: 4_194_304)
    return words(ofCommandLine: bytes ?? [])
  }

  /// Splits the contents of `/proc/self/cmdline`, where each argument ends with a zero byte
  /// (proc(5)).
  static func words(ofCommandLine bytes: [UInt8]) -> [String] {
    var words = bytes.split(separator: 0, omittingEmptySubsequences: false)
    if words.last?.isEmpty == true { words.removeLast() }
    return words.map { String(decoding: $0, as: UTF8.self) }
  }
}
