import Glibc
import Terminal
import TerminalTesting
import Testing

/// Tests of the application in an independently written terminal.
@Suite("Full-screen programs in tmux", .enabled(if: access("/usr/bin/tmux", X_OK) == 0))
struct TmuxTests {
  @Test func itShowsAnswersResizesAndLeaves() throws {
    let tmux = "tmux -f /dev/null -L application-\(getpid())"
    let script = """
      export TERM=xterm-256color LC_ALL=C.UTF-8
      shows() { until \(tmux) capture-pane -p -t 0 | grep -q "$1"; do sleep 0.02; done; echo "seen $1"; }
      \(tmux) new-session -d -x 50 -y 12 'sh -i'
      \(tmux) set -g default-terminal tmux-256color
      \(tmux) send-keys -t 0 '\(BuiltProgram.path("terminal-probe")); echo status $?' Enter
      shows 'probe 50x12'
      \(tmux) send-keys -t 0 + + +
      shows 'count 3'
      echo "title $(\(tmux) display-message -p -t 0 '#{pane_title}')"
      \(tmux) resize-window -t 0 -x 61 -y 15
      shows 'probe 61x15'
      \(tmux) send-keys -t 0 C-l +
      shows 'count 4'
      \(tmux) send-keys -t 0 q
      shows 'status 0'
      \(tmux) kill-server
      echo finished
      """
    let pty = try PTY("/bin/sh", ["-c", script], size: Size(columns: 120, rows: 30))
    try pty.wait(for: "finished")
    #expect(pty.screen.contains("seen status 0"))
    #expect(pty.screen.contains("title Probe"), "No question has become the pane's title.")
  }

  @Test("Inline lines stay in their place when tmux reflows the text")
  func inline() throws {
    let tmux = "tmux -f /dev/null -L inline-\(getpid())"
    let script = """
      export TERM=xterm-256color LC_ALL=C.UTF-8 PS1='$ '
      screen() { \(tmux) capture-pane -p -t 0 -S -; }
      shows() { until screen | grep -q "$1"; do sleep 0.02; done; }
      \(tmux) new-session -d -x 50 -y 12 'sh -i'
      \(tmux) set -g default-terminal tmux-256color
      \(tmux) send-keys -t 0 'seq 1 20; \(BuiltProgram.path("terminal-probe")) inline; echo status $?' Enter
      shows 'inline 50x3'
      \(tmux) send-keys -t 0 p + p
      shows 'printed 1'
      for columns in 21 33 20 60; do
        \(tmux) resize-window -t 0 -x $columns
        shows "inline ${columns}x3"
      done
      \(tmux) send-keys -t 0 q
      shows 'status 0'
      screen | grep -c -e '^inline' -e '^=' -e '^printed' -e '^count' -e '^and'
      screen | tail -n 9
      \(tmux) kill-server
      echo finished
      """
    let pty = try PTY("/bin/sh", ["-c", script], size: Size(columns: 120, rows: 30))
    try pty.wait(for: "finished")
    let lines = pty.screen.lines
    let count = try #require(lines.firstIndex(of: "7"), "Each line is there once: \(lines)")
    #expect(
      lines[(count + 1)...].prefix(9).contains("inline 60x3") && lines.contains("status 0"),
      "\(lines)")
  }

  @Test("Inline lines that fill the window leave no copies in the scrollback of tmux")
  func inlineFillsTheWindow() throws {
    let tmux = "tmux -f /dev/null -L filled-\(getpid())"
    let script = """
      export TERM=xterm-256color LC_ALL=C.UTF-8 PS1='$ '
      screen() { \(tmux) capture-pane -p -t 0 -S -; }
      shows() { until screen | grep -q "$1"; do sleep 0.02; done; }
      \(tmux) new-session -d -x 50 -y 4 'sh -i'
      \(tmux) set -g default-terminal tmux-256color
      \(tmux) set -g status off
      \(tmux) send-keys -t 0 '\(BuiltProgram.path("terminal-probe")) inline erase; echo status $?' Enter
      shows 'inline 50x3'
      \(tmux) resize-window -t 0 -x 50 -y 3
      \(tmux) send-keys -t 0 p + p
      shows 'printed 1'
      \(tmux) send-keys -t 0 C-l q
      shows 'status 0'
      screen | grep -c -e '^inline' -e '^printed'
      \(tmux) kill-server
      echo finished
      """
    let pty = try PTY("/bin/sh", ["-c", script], size: Size(columns: 120, rows: 30))
    try pty.wait(for: "finished")
    #expect(pty.screen.lines.contains("2"), "Only what was printed is left: \(pty.screen.lines)")
  }
}
