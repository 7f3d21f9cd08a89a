import Glibc

/// Programs of this package that were built together with the tests.
public enum BuiltProgram {
  /// Returns the path of an executable product or target, for ``PTY``.
  ///
  /// Tests and programs are built into the same directory. If the environment variable
  /// `BUILT_PROGRAMS` names a directory that contains the program, that one is used instead, so
  /// that debug tests can run the release build.
  public static func path(_ name: String) -> String {
    if let shipped = getenv("BUILT_PROGRAMS") {
      let path = "\(String(cString: shipped))/\(name)"
      if access(path, X_OK) == 0 { return path }
    }
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let executable = String(
      decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let directory = executable.split(separator: "/").dropLast().joined(separator: "/")
    return "/\(directory)/\(name)"
  }

  /// Whether the program has been built.
  public static func exists(_ name: String) -> Bool {
    access(path(name), X_OK) == 0
  }
}
