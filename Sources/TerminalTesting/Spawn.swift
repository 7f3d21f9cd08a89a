import CTerminal
import Glibc

/// Starts a program in a new session with `terminal` as its controlling terminal; returns its
/// process identifier.
func spawn(
  _ program: String, _ arguments: [String], environment: [String: String?], directory: String?,
  terminal: String
) throws(PTYError) -> Int32 {
  var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
  argv.append(nil)
  var envp: [UnsafeMutablePointer<CChar>?] = variables(changedBy: environment).map { strdup($0) }
  envp.append(nil)
  defer { for pointer in argv + envp { free(pointer) } }

  var process: Int32 = 0
  let error = cterminal_spawn(terminal, program, argv, envp, directory, &process)
  guard error == 0 else { throw .system(call: "posix_spawn \(program)", errno: error) }
  return process
}

/// Returns the environment of this process as `NAME=value` strings, with changes applied.
private func variables(changedBy changes: [String: String?]) -> [String] {
  var values: [String: String] = [:]
  var entry = environ
  while let variable = entry.pointee {
    let parts = String(cString: variable).split(separator: "=", maxSplits: 1)
    if parts.count > 0 { values[String(parts[0])] = parts.count > 1 ? String(parts[1]) : "" }
    entry += 1
  }
  values["TERM"] = "xterm-256color"
  values["COLUMNS"] = nil
  values["LINES"] = nil
  for (name, value) in changes { values[name] = value }
  return values.map { "\($0.key)=\($0.value)" }
}
