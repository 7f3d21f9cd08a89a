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
        + " by itself where none is running. Any number may run: no message is sent twice, but for one whose"
        + " monitor is killed just after the mail server took it.",
      "How to hand in mail stands in ~/.config/lifesignal/config.json5, for example"
        + " { smtp: { host: \"mail.example.org\", username: \"ada\", from: \"ada@example.org\" } }."
        + " The password comes from LIFESIGNAL_SMTP_PASSWORD or from lifesignal keychain. A monitor"
        + " reads the file again when it changes; while it is broken, what it said before holds.",
    ],
    options: [once.declaration], takesAccount: false,
    make: { (arguments: ParsedArguments) in MonitorCommand(runsOnce: arguments.isSet(once)) })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    _ = try invocation.folders()
    let failure = invocation.becomeMonitor(runsOnce ? ["--once"] : [])
    throw CommandFailure(
      "lifesignal-monitor could not be started: \(failure).",
      advice: "It has to lie beside lifesignal.")
  }
}
