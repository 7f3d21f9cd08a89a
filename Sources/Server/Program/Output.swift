import FoundationEssentials
import System

/// The output of the program.
let output = ProgramOutput(of: "lifesignal-server")

extension ProgramOutput {
  /// Logs a line of JSON. If nobody reads it, lines are lost rather than requests held up.
  func log(_ line: Server.RequestLine) {
    log {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return (try? encoder.encode(line)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }
}
