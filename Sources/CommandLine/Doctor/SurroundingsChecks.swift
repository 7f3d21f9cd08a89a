import Domain
import FoundationEssentials
import Terminal

/// Checks of the machine and the terminal.
enum SurroundingsChecks {
  /// - Parameters:
  ///   - isSynchronized: What `timedatectl` reports; `nil` if it can't tell.
  ///   - lastSeen: The latest time recorded in the store.
  ///   - jump: A jump that the store has noticed (ESC-5).
  static func clock(
    isSynchronized: Bool?, lastSeen: Date?, jump: ClockWarning? = nil, now: Date
  ) -> Finding {
    if let jump {
      return .failure(.clock, jump.text, "Compare it with date -u; deadlines depend on it.")
    }
    if let lastSeen, now.timeIntervalSince(lastSeen) < -120 {
      let behind = TimeSpan(seconds: Int(bounded: lastSeen.timeIntervalSince(now)))
      return .failure(
        .clock, "The clock is \(behind.shortDescription) behind what the store has seen.",
        "Set the clock; deadlines depend on it.")
    }
    switch isSynchronized {
    case true?: return .ok(.clock, "The clock is synchronised.")
    case false?:
      return .warning(
        .clock, "The clock isn't synchronised, so deadlines may be early or late.",
        "Run sudo timedatectl set-ntp true.")
    case nil:
      return .warning(
        .clock, "Can't tell whether the clock is synchronised.",
        "Make sure that a time service such as chrony is running.")
    }
  }

  static func terminal(variables: [String: String], isTerminal: Bool) -> Finding {
    guard isTerminal else {
      return .ok(.terminal, "Not in a terminal. Commands work; the app needs a terminal.")
    }
    let term = variables["TERM"] ?? ""
    guard !term.isEmpty, term != "dumb" else {
      return .warning(
        .terminal,
        term.isEmpty ? "TERM is not set." : "TERM is dumb: the app can't show its screens.",
        "Set it to your terminal's type, such as xterm-256color, or use lifesignal --plain.")
    }
    guard isUTF8(variables) else {
      return .warning(
        .terminal, "The locale isn't UTF-8, so names may look wrong.",
        "Set LANG, for example to C.UTF-8, or use lifesignal --ascii.")
    }
    let colours =
      switch ColorDepth(environment: variables) {
      case .none: "no colours"
      case .ansi16: "16 colours"
      case .palette256: "256 colours"
      case .trueColor: "all colours"
      }
    return .ok(.terminal, "The terminal is \(quoted(term)), with UTF-8 and \(colours).")
  }

  /// Returns whether the character locale uses UTF-8 (POSIX.1, 8.2).
  static func isUTF8(_ variables: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }
      .first { !$0.isEmpty }
    let name = (locale ?? "").uppercased()
    return name.contains("UTF-8") || name.contains("UTF8")
  }
}
