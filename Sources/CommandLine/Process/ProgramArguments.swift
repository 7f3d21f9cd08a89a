/// The words of the command line after the program's name.
enum ProgramArguments {
  static var current: [String] {
    // Swift's own list is empty when a preloaded library has moved the environment; the kernel's is
    // always there.
    let arguments = Swift.CommandLine.arguments
    return Array((arguments.isEmpty ? fromKernel : arguments).dropFirst())
  }

  private static var fromKernel: [String] {
    let bytes = try? bytesOfFile(at: "/proc/self/cmdline", limit: 4_194_304)
    return words(ofCommandLine: bytes ?? [])
  }

  /// Takes apart what `/proc/self/cmdline` holds: each word ends with a zero byte (proc(5)).
  static func words(ofCommandLine bytes: [UInt8]) -> [String] {
    var words = bytes.split(separator: 0, omittingEmptySubsequences: false)
    if words.last?.isEmpty == true { words.removeLast() }
    return words.map { String(decoding: $0, as: UTF8.self) }
  }
}
