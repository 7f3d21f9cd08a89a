import Clients
import Composable
import Domain

/// `lifesignal links`: allows checking in by a link in reminders (CHK-8).
struct LinksCommand: StoreCommand, VerbCommand {
  let verb: Verb<Self>
  @Dependency(\.userClient) var userClient
  @Dependency(\.accountHost) var accountHost

  init(verb: Verb<Self>) { self.verb = verb }

  static let declaration = CommandDeclaration(
    "links", "Allow checking in by a link in your reminders",
    discussion: [
      LinkCheckIn.explanation,
      "When on, reminders and “deadline passed” messages to your e-mail addresses, and to your ntfy topics"
        + " that have a generated name or a token, carry a link to a page with a button. It needs links in"
        + " the configuration: see the guide.",
      "Turning it on asks for the passphrase if a gate is set; so does the page. When it is off, links that"
        + " were sent no longer work.",
    ],
    exitCodes: [.locked]
  ) { syntax in
    syntax.verbPlaceholder = "WORD"
    syntax.withoutVerb(run: Self.show)
    syntax.verb("on", "Allow it", Reading { _ in true }, run: Self.allow)
    syntax.verb("off", "Stop it", Reading { _ in false }, run: Self.allow)
    return syntax.chosenVerb
  }

  private func show(_ invocation: Invocation) async throws -> Report {
    report(invocation, try await userClient.currentUser().locks.contains(.linkCheckIn))
  }

  private func allow(_ invocation: Invocation, _ choice: Bool) async throws -> Report {
    // Explain before asking for anything.
    if choice { invocation.say(LinkCheckIn.explanation) }
    _ = try await invocation.passingGate {
      try await userClient.allowLinkCheckIn(choice)
    }
    return report(invocation, choice)
  }

  private func report(_ invocation: Invocation, _ isOn: Bool) -> Report {
    var report = Report(["Checking in by a link: \(isOn ? "on" : "off")"])
    guard isOn else { return report }
    if let server = accountHost.serverName {
      report.lines.append("Messages carry one only if links are set up on \(server).")
    } else if let saved = try? invocation.configuration(invocation.folders()),
      saved.configuration.links == nil
    {
      report.warnings = ["No message carries a link yet: links isn't set up in config.json5."]
    }
    return report
  }
}
