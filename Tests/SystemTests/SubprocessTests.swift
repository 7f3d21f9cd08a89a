import Glibc
import Testing

@testable import System

struct SubprocessTests {
  @Test("Only our own programs inherit the variables that begin with LIFESIGNAL_")
  func variables() async {
    setenv("LIFESIGNAL_PROBE", "seen", 1)
    defer { unsetenv("LIFESIGNAL_PROBE") }
    for isOurs in [false, true] {
      let result = await Subprocess.run(
        "sh", ["-c", "echo \"$LIFESIGNAL_PROBE\""], isOurs: isOurs, outputLimit: 99,
        within: .seconds(60))
      #expect(result.end == .exited(0))
      #expect(result.output == Array((isOurs ? "seen\n" : "\n").utf8))
    }
  }

  @Test func complaints_areHeardUpToALimit() async {
    let result = await Subprocess.run(
      "sh", ["-c", "echo 12345 >&2; exit 3"], complaintLimit: 3, within: .seconds(60))
    #expect(result.end == .exited(3) && result.complaint == Array("123".utf8))
  }
}
