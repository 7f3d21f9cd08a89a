import Clients
import Domain

/// `lifesignal monitor`: becomes the program `lifesignal-monitor`.
///
/// The monitor is a program of its own, so that the app need not load what sending needs.
struct MonitorCommand: PlainCommand {
  var runsOnce: Bool

  static let once = Flag("once", help: "Deliver what is due now, and end")

  static let declaration = CommandDeclaration(
    name: "monitor", summary: "Watch the deadlines and tell the responders",
    discussion: [
      "It runs until it is stopped, and should run on a machine that is always on. The app starts one"
        + " by itself where none is running. Any number may run; no message is sent twice.",
      "How to hand in mail stands in config.json5; the password comes from LIFESIGNAL_SMTP_PASSWORD or"
        + " from lifesignal keychain.",
    ],
    options: [once.declaration],
    make: { (arguments: ParsedArguments) in MonitorCommand(runsOnce: arguments.isSet(once)) })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let folders = try invocation.folders()
    if let error = invocation.configurationError(folders) { throw CommandFailure(error) }
    let failure = invocation.becomeMonitor(runsOnce ? ["--once"] : [])
    throw CommandFailure(
      "lifesignal-monitor could not be started: \(failure).",
      advice: "It has to lie beside lifesignal.")
  }
}
