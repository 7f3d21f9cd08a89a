import Glibc
import Terminal
import TerminalTesting
import Testing

@Suite("Programs in a pseudo-terminal")
struct PTYTests {
  @Test func aProgramIsDrivenByWhatItShows() throws {
    let pty = try PTY("/bin/sh", ["-c", "echo ready; read name; echo \"hello $name\""])
    try pty.wait(for: "ready")
    pty.send("Ada\r")
    try pty.wait(for: "hello Ada")
    #expect(try pty.waitForExit() == .exited(0))
  }

  @Test func aFrameThatIsReplacedAtOnceIsSeen() throws {
    // One write: both frames arrive together.
    let frames = #"\033[?2026hfirst\033[?2026l\033[?2026h\rsecond\033[?2026l"#
    let pty = try PTY("/usr/bin/printf", [frames])
    try pty.wait(for: "first")
    try pty.wait(for: "second")
    try pty.waitForExit()
  }

  @Test func howItEnds() throws {
    #expect(try PTY("/bin/sh", ["-c", "exit 7"]).waitForExit() == .exited(7))
    #expect(try PTY("/bin/sh", ["-c", "kill -TERM $$"]).waitForExit() == .killed(SIGTERM))
  }

  @Test func theTerminalIsTheControllingOne() throws {
    let pty = try PTY("/bin/sh", ["-c", "echo yes > /dev/tty"])
    try pty.wait(for: "yes")
    try pty.waitForExit()
  }

  @Test func theSizeIsKnownAndChanges() throws {
    let script = "trap 'stty size' WINCH; stty size; while :; do read x; done"
    let pty = try PTY("/bin/sh", ["-c", script], size: Size(columns: 61, rows: 17))
    try pty.wait(for: "17 61")
    pty.resize(to: Size(columns: 40, rows: 12))
    pty.send("\r")
    try pty.wait(for: "12 40")
  }

  @Test func theEnvironmentAndDirectory() throws {
    let pty = try PTY(
      "/bin/sh", ["-c", "echo $TERM $LIFE ${HOME:-none} $PWD"],
      environment: ["LIFE": "signal", "HOME": nil], directory: "/usr")
    try pty.wait(for: "xterm-256color signal none /usr")
  }

  @Test func controlCInterrupts() throws {
    let pty = try PTY("/bin/cat")
    pty.send("ready\r")
    try pty.wait { $0.lines.starts(with: ["ready", "ready"]) }
    pty.press("ctrl+c")
    #expect(try pty.waitForExit() == .killed(SIGINT))
  }

  @Test func attributesShowRawMode() throws {
    let pty = try PTY("/bin/sh", ["-c", "stty raw -echo; echo raw; read x; stty sane; echo sane"])
    try pty.wait(for: "raw")
    #expect(!pty.attributes.isCooked)
    pty.send("\n")
    try pty.wait(for: "sane")
    #expect(pty.attributes.isCooked)
  }

  @Test func whatNeverComesIsReportedWithTheScreen() throws {
    let pty = try PTY("/bin/sh", ["-c", "echo this; sleep 100"])
    try pty.wait(for: "this")
    #expect(throws: PTYError.notSeen("that", screen: "this")) {
      try pty.wait(for: "that", limit: 0.05)
    }
    #expect(throws: PTYError.stillRunning(screen: "this")) { try pty.waitForExit(limit: 0.05) }
  }

  @Test func hangingUpTakesTheTerminalAway() throws {
    let pty = try PTY("/bin/sh", ["-c", "echo ready; exec cat"])
    try pty.wait(for: "ready")
    pty.hangUp()
    #expect(try pty.waitForExit() == .killed(SIGHUP))
  }

  @Test func aMissingProgramIsAnError() {
    #expect(throws: PTYError.system(call: "posix_spawn /nowhere", errno: ENOENT)) {
      try PTY("/nowhere")
    }
  }
}
