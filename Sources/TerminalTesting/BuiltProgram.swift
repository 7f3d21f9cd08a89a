import Glibc

/// Programs of this package that were built together with the tests.
public enum BuiltProgram {
  /// Returns the path of an executable product or target, for ``PTY``.
  ///
  /// Tests and programs are built into the same directory. What is shipped is taken from a
  /// directory beside it, as if it was installed: a program may behave differently where it was
  /// built. If the environment variable `BUILT_PROGRAMS` names a directory that contains the
  /// program, that one is used instead, so that debug tests can run the release build.
  public static func path(_ name: String) -> String {
    if let shipped = getenv("BUILT_PROGRAMS") {
      let path = "\(String(cString: shipped))/\(name)"
      if access(path, X_OK) == 0 { return path }
    }
    return installed.contains(name) ? "\(folder)/installed/\(name)" : "\(folder)/\(name)"
  }

  /// Returns the path of a program where it was built.
  public static func pathInBuild(_ name: String) -> String { "\(folder)/\(name)" }

  /// Whether the program has been built.
  public static func exists(_ name: String) -> Bool {
    access(path(name), X_OK) == 0
  }

  /// The directory of the running tests.
  private static let folder: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let executable = String(
      decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "/" + executable.split(separator: "/").dropLast().joined(separator: "/")
  }()

  /// The programs that are in the directory of installed ones.
  private static let installed = {
    mkdir("\(folder)/installed", 0o755)
    let names = ["lifesignal", "lifesignal-monitor", "lifesignal-server", "clocked-lifesignal"]
    let linked = names.filter { name in
      // Other test processes do the same at the same time.
      let copy = "\(folder)/installed/.\(name).\(getpid())"
      guard link("\(folder)/\(name)", copy) == 0 else { return false }
      defer { unlink(copy) }
      return rename(copy, "\(folder)/installed/\(name)") == 0
    }
    return Set(linked)
  }()
}
