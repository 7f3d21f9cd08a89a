import Foundation

/// A program in a tmux server of its own: a second terminal, written by others, to compare with.
final class TmuxSession {
  private let home: Home
  private let socket: String

  init(home: Home, program: String, columns: Int, rows: Int) throws {
    self.home = home
    socket = home.path + "/tmux"
    _ = try home.run(
      program: "/usr/bin/tmux",
      [
        "-S", socket, "-f", "/dev/null", "-u", "new-session", "-d", "-x", "\(columns)", "-y",
        "\(rows)", program,
      ])
    _ = try home.run(program: "/usr/bin/tmux", ["-S", socket, "set", "-g", "status", "off"])
  }

  deinit {
    _ = try? home.run(program: "/usr/bin/tmux", ["-S", socket, "kill-server"])
  }

  func send(_ keys: String) {
    _ = try? home.run(program: "/usr/bin/tmux", ["-S", socket, "send-keys", "-l", keys])
  }

  /// What the pane shows, without blanks at the ends of rows.
  var lines: [String] {
    let text =
      (try? home.run(program: "/usr/bin/tmux", ["-S", socket, "capture-pane", "-p"]).output) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
      var line = String(line)
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  /// Looks until the pane fulfils a condition; the number of looks is the limit for programs that
  /// never do.
  func waits(until condition: ([String]) -> Bool) -> Bool {
    for _ in 0..<500 where condition(lines) { return true }
    return false
  }
}
