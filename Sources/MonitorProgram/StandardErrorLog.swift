import Domain
import FoundationEssentials
import Monitor
import System

/// The monitor's log on standard error: lines of time, level and text.
enum StandardErrorLog {
  static let output = ProgramOutput(of: "lifesignal-monitor")
  static let monitorLog = MonitorLog { level, what in write("\(level.rawValue) \(what)") }

  /// Writes a line, preceded by the time.
  static func write(_ line: String) {
    let text = "\(Date().rfc3339) \(line)"
    output.log { text }
  }
}
