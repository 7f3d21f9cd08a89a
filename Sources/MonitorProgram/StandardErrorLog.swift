import Domain
import FoundationEssentials
import Monitor
import System

/// The log of a monitor: lines of time, level and what.
enum StandardErrorLog {
  static let output = ProgramOutput(of: "lifesignal-monitor")
  static let monitorLog = MonitorLog { level, what in write("\(level.rawValue) \(what)") }

  /// Writes a line with the time before it.
  static func write(_ line: String) {
    let text = "\(Date().rfc3339) \(line)"
    output.log { text }
  }
}
