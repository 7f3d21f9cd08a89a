import Glibc
import Terminal
import TerminalTesting
import Testing

/// Tests of the application in an independently written terminal.
@Suite("Programs in tmux", .enabled(if: access("/usr/bin/tmux", X_OK) == 0))
struct TmuxTests {
  private let probe = BuiltProgram.path("terminal-probe")

  /// Runs steps of a shell script in which `t` is a tmux of its own with a shell in a window, `screen`
  /// prints what that shows and has shown, and `shows` waits for a text in it.
  /// - Returns: What the steps have printed.
  private func run(_ name: String, rows: Int, _ steps: String) throws -> InMemoryTerminal {
    let script = """
      export TERM=xterm-256color LC_ALL=C.UTF-8 PS1='$ '
      t() { tmux -f /dev/null -L \(name)-\(getpid()) "$@"; }
      screen() { t capture-pane -p -t 0 -S -; }
      shows() { until screen | grep -q "$1"; do sleep 0.02; done; }
      t new-session -d -x 50 -y \(rows) 'sh -i'
      t set -g default-terminal tmux-256color
      \(steps)
      t kill-server
      echo finished
      """
    let pty = try PTY("/bin/sh", ["-c", script], size: Size(columns: 120, rows: 30))
    try pty.wait(for: "finished")
    return pty.screen
  }

  @Test func itShowsAnswersResizesAndLeaves() throws {
    let printed = try run(
      "application", rows: 12,
      """
      t send-keys -t 0 '\(probe); echo status $?' Enter
      shows 'probe 50x12'
      t send-keys -t 0 + + +
      shows 'count 3'
      echo "title $(t display-message -p -t 0 '#{pane_title}')"
      t resize-window -t 0 -x 61 -y 15
      shows 'probe 61x15'
      t send-keys -t 0 C-l +
      shows 'count 4'
      t send-keys -t 0 q
      shows 'status 0'
      echo left
      """)
    #expect(printed.contains("left"))
    #expect(printed.contains("title Probe"), "No question has become the pane's title.")
  }

  @Test("Inline lines stay in their place when tmux reflows the text")
  func inline() throws {
    let lines = try run(
      "inline", rows: 12,
      """
      t send-keys -t 0 'seq 1 20; \(probe) inline; echo status $?' Enter
      shows 'inline 50x3'
      t send-keys -t 0 p + p
      shows 'printed 1'
      for columns in 21 33 20 60; do
        t resize-window -t 0 -x $columns
        shows "inline ${columns}x3"
      done
      t send-keys -t 0 q
      shows 'status 0'
      screen | grep -c -e '^inline' -e '^=' -e '^printed' -e '^count' -e '^and'
      screen | tail -n 9
      """
    ).lines
    let count = try #require(lines.firstIndex(of: "7"), "Each line is there once: \(lines)")
    #expect(
      lines[(count + 1)...].prefix(9).contains("inline 60x3") && lines.contains("status 0"),
      "\(lines)")
  }

  @Test("Inline lines that fill the window leave no copies in the scrollback of tmux")
  func inlineFillsTheWindow() throws {
    let lines = try run(
      "filled", rows: 4,
      """
      t set -g status off
      t send-keys -t 0 '\(probe) inline erase; echo status $?' Enter
      shows 'inline 50x3'
      t resize-window -t 0 -x 50 -y 3
      t send-keys -t 0 p + p
      shows 'printed 1'
      t send-keys -t 0 C-l q
      shows 'status 0'
      screen | grep -c -e '^inline' -e '^printed'
      """
    ).lines
    #expect(lines.contains("2"), "Only what was printed is left: \(lines)")
  }
}
