import Clients
import Composable
import Domain
import FoundationEssentials

/// `lifesignal doctor`: checks everything that is needed to notify someone.
struct DoctorCommand: PlainCommand {
  var asJSON: Bool
  var sendsTest: Bool

  static let declaration = CommandDeclaration(
    "doctor", "Check that everything works",
    discussion: [
      "Prints one line per check: the result, and what to do next. ✓ means fine, ! means have"
        + " a look, and ✗ means that someone might not be notified.",
      "The JSON has ok and findings, an array of objects with check, mark (ok, warning or"
        + " failure), found and advice (or null).",
    ],
    exitCodes: [
      .init(code: .ok, help: "Everything works, perhaps with warnings"),
      .init(code: .failure, help: "Something needs to be fixed"),
    ]
  ) { syntax in
    let json = syntax.flag("json", "Print one line of JSON")
    let sendTest = syntax.flag(
      "send-test", "Send a test message to your own address through the mail server")
    return { DoctorCommand(asJSON: $0.isSet(json), sendsTest: $0.isSet(sendTest)) }
  }

  func run(_ invocation: Invocation) async -> Report {
    let findings =
      if let server = try? invocation.joinedServer() {
        await JoinedExamination(invocation: invocation, server: server, sendsTest: sendsTest)
          .findings()
      } else {
        await Examination(invocation, sendsTest: sendsTest).findings()
      }
    let isWell = !findings.contains { $0.mark == .failure }
    let code = isWell ? ExitCode.ok : .failure
    guard !asJSON else {
      let json: JSONText = ["ok": .boolean(isWell), "findings": .array(findings.map(\.json))]
      return Report(exitCode: code, verbatim: json.text)
    }
    let usesASCII =
      invocation.machine.hasTerminal() && !SurroundingsChecks.isUTF8(invocation.variables)
    return Report(findings.map { $0.line(usesASCII: usesASCII) }, exitCode: code)
  }
}
