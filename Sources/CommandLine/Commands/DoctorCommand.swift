import Clients
import Composable
import Domain
import FoundationEssentials

/// `lifesignal doctor`: looks at everything that has to be in order for somebody to be told.
struct DoctorCommand: PlainCommand {
  var asJSON: Bool
  var sendsTest: Bool

  static let declaration = CommandDeclaration(
    "doctor", "Look whether everything is in order",
    discussion: [
      "One line for each thing: what was found, and what to do next. ✓ is well, ! deserves a look,"
        + " and with ✗ somebody might not be told.",
      "The JSON has the members ok and findings, each with check, mark (ok, warning or failure),"
        + " found and advice (or null).",
    ],
    exitCodes: [
      .init(code: .ok, help: "Nothing endangers anybody"),
      .init(code: .failure, help: "Something has to be mended"),
    ]
  ) { words in
    let json = words.flag("json", "Print one line of JSON")
    let sendTest = words.flag(
      "send-test", "Send a test message to your own address, by the configured mail server")
    return { DoctorCommand(asJSON: $0.isSet(json), sendsTest: $0.isSet(sendTest)) }
  }

  func run(_ invocation: Invocation) async -> Report {
    let findings = await Examination(invocation, sendsTest: sendsTest).findings()
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
