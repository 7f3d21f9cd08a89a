import Clients
import Domain
import FoundationEssentials

/// The page behind the link of a reminder (CHK-8).
enum CheckInPage {
  /// - Parameter gate: Why the gate did not open just now; `nil` if nothing was typed.
  static func page(
    _ link: LinkCheckIn, refusedBy gate: GateError? = nil, calendar: CivilCalendar
  ) -> WebResponse {
    let deadline = calendar.describeForOthers(link.deadline)
    var page: HTMLPage
    switch link.state {
    case .needsPassphrase where link.missed != nil:
      page = missed(link, calendar)
      page.lead("To end the alert, check in with your passphrase.")
      page.paragraph(
        passedOn(link, calendar)
          ?? "Without it, the button only sends your responders a message that you say you are OK.")
      if let gate { page.complaint(complaint(gate, calendar)) }
      page.button("I'm OK", .calm, typing: passphrase, mustType: link.missed?.passedOnAt != nil)
      page.facts(missedFacts(link, calendar))
    case .ready, .needsPassphrase:
      page = HTMLPage("Are you OK, \(link.person.outgoing)?", state: ("Check-in", .quiet))
      page.lead("Press the button to check in.")
      if let gate { page.complaint(complaint(gate, calendar)) }
      page.button("I'm OK", .calm, typing: link.state == .needsPassphrase ? passphrase : nil)
      page.facts([("Your deadline", deadline)])
    case .endsNothing:
      page = missed(link, calendar)
      page.lead("To end the alert, \(byYourself)")
      page.paragraph(
        "This link can't do that, because anyone who reads the message can press it. \(withoutPassphrase)"
      )
      page.button("I'm OK", .calm)
      page.facts(missedFacts(link, calendar))
    case .passedOn:
      page = missed(link, calendar)
      page.lead("Now check in: open lifesignal, or run lifesignal check-in.")
      if let text = passedOn(link, calendar) { page.paragraph(text) }
      page.facts(missedFacts(link, calendar))
    case .limitReached:
      page = HTMLPage("Please check in with the app", state: ("Check-in", .quiet))
      page.lead("Open lifesignal, or run lifesignal check-in.")
      page.paragraph(
        "Your last check-ins were by a link, or by what was typed in your shell. The next one must be in"
          + " LifeSignal, because anyone who reads your messages can press a link.")
      page.facts([("Your deadline", deadline)])
    case .checkedIn(let date):
      // An alert that is on comes before good news.
      page = HTMLPage(
        "You are checked in", state: link.isAlertOn ? ("Alert is on", .alarm) : ("OK", .calm))
      page.facts([
        ("Checked in", calendar.describeForOthers(date)), ("Next deadline", deadline),
      ])
    case .usedUp(let date):
      page = missed(link, calendar)
      page.lead("This link no longer works. To check in, \(byYourself)")
      page.facts(
        [("This link checked in", calendar.describeForOthers(date))] + missedFacts(link, calendar))
    }
    if link.isAlertOn {
      page.paragraph(
        "Your alert is on, and a check-in leaves it on. To cancel it, open lifesignal, or run lifesignal"
          + " alert off.")
    }
    return WebResponse(status: gate == nil ? 200 : 403, html: page.html)
  }

  private static let passphrase = (name: "passphrase", label: "Passphrase")
  private static let byYourself = "open lifesignal, or run lifesignal check-in."
  private static let withoutPassphrase =
    "The button sends your responders a message that you say you are OK; the alert stays on."

  /// Returns the page after the deadline, which says of the responders only what is known (NOT-3).
  private static func missed(_ link: LinkCheckIn, _ calendar: CivilCalendar) -> HTMLPage {
    var page = HTMLPage(
      link.missed?.sentAt == nil ? "You missed your check-in" : "Your responders were notified",
      state: ("Missed check-in", .alarm))
    if let missed = link.missed, missed.sentAt == nil {
      page.paragraph("The alert is on. No message to your responders has been sent yet.")
    }
    return page
  }

  private static func missedFacts(
    _ link: LinkCheckIn, _ calendar: CivilCalendar
  ) -> [(name: String, value: String)] {
    let notified = link.missed?.sentAt.map { calendar.describeForOthers($0) }
    return (notified.map { [("Notified", $0)] } ?? [])
      + [("Your deadline was", calendar.describeForOthers(link.deadline))]
  }

  /// Returns the text that a press was passed on to the responders; `nil` if none was.
  private static func passedOn(_ link: LinkCheckIn, _ calendar: CivilCalendar) -> String? {
    guard let date = link.missed?.passedOnAt else { return nil }
    return
      "You pressed “I'm OK” on \(calendar.describeForOthers(date)). Your responders get a message"
      + " that says so, and that they should call to be sure. The alert stays on until you check in."
  }

  private static func complaint(_ gate: GateError, _ calendar: CivilCalendar) -> String {
    switch gate {
    case .locked(let end):
      "\(gate.errorDescription) Try again after \(calendar.describeForOthers(end))."
    case .required, .wrong, .afterReset: gate.errorDescription
    }
  }

  /// Returns the page for a connection on which others could read the passphrase.
  static func unencrypted(_ link: LinkCheckIn, calendar: CivilCalendar) -> WebResponse {
    var page = HTMLPage("This page isn't encrypted", state: ("Check-in", .quiet))
    page.lead("To check in, open lifesignal, or run lifesignal check-in.")
    page.paragraph(
      "Checking in needs your passphrase, which others could read on its way here. Only a link that begins"
        + " with https:// asks for it.")
    if link.missed != nil {
      page.paragraph(passedOn(link, calendar) ?? withoutPassphrase)
      if link.missed?.passedOnAt == nil { page.button("I'm OK", .calm) }
    }
    return WebResponse(status: 403, html: page.html)
  }
}
