import Clients
import Domain
import System
import FoundationEssentials
import Glibc

extension Invocation {
  /// The invocation of this process.
  public static var live: Invocation {
    let input = LineInput()
    return Invocation(
      arguments: ProgramArguments.current,
      variables: environmentVariables(
        [
          "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TERM",
          "COLORTERM", "NO_COLOR", "CLICOLOR", "LC_ALL", "LC_CTYPE", "LANG", "SHELL",
        ]),
      standardOutput: .standardOutput, standardError: .standardError, storeAccess: .embedded,
      recordingAccess: .live, machine: .live,
      now: { Date() },
      readFile: { (path: String, limit: Int) throws(FileError) in
        try bytesOfFile(at: path, limit: limit)
      },
      readSettings: { (path: String) throws(ConfigurationError) in
        try SettingsFile(path: path).read()
      },
      writeFile: { (path: String, bytes: [UInt8]) throws(FileError) in
        try replaceFile(at: path, with: bytes)
      },
      readSecret: { (prompt: String) throws(SecretError) in
        // Piped input may already have been read beyond the last question.
        guard let line = input.takeLine() else { return try SecretPrompt.read(prompt: prompt) }
        guard !line.isEmpty else { throw .empty }
        return line
      },
      typesSecrets: { isatty(STDIN_FILENO) == 1 },
      nextLine: { await input.next(within: 5_000) },
      execMonitor: { MonitorLauncher().become($0) })
  }
}

/// Returns those of the variables that are set.
func environmentVariables(_ names: [String]) -> [String: String] {
  var variables: [String: String] = [:]
  for name in names {
    if let value = getenv(name) { variables[name] = String(cString: value) }
  }
  // Only that there is a password, never the password itself.
  if getenv(Invocation.passwordVariable).map({ $0.pointee != 0 }) == true {
    variables[Invocation.passwordVariable] = "…"
  }
  return variables
}
