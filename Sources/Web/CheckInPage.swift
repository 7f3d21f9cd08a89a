import Clients
import Domain
import FoundationEssentials

/// What the person reads behind the link of a reminder (CHK-8).
enum CheckInPage {
  /// - Parameter gate: Why the gate did not open just now; `nil` where nothing was typed.
  static func page(
    _ link: LinkCheckIn, refusedBy gate: GateError? = nil, calendar: CivilCalendar
  ) -> WebResponse {
    let deadline = calendar.describeForOthers(link.deadline)
    var page: HTMLPage
    switch link.state {
    case .ready, .needsPassphrase:
      page = HTMLPage("Are you OK, \(link.person.outgoing)?", state: ("Check-in", .quiet))
      page.lead("Press the button to check in.")
      if let gate { page.complaint(complaint(gate, calendar)) }
      page.button(
        "I'm OK", .calm,
        typing: link.state == .needsPassphrase ? ("passphrase", "Passphrase") : nil)
      page.facts([("Your deadline", deadline)])
    case .endsNothing(let date):
      page = HTMLPage("Your responders are notified", state: ("Missed check-in", .alarm))
      page.lead("To call them off, check in: open lifesignal, or run lifesignal check-in.")
      page.paragraph(
        "This link can't do that, because anyone who reads the message can press it. Press the button to"
          + " tell them that you say you are OK; the alert stays on.")
      page.button("I'm OK", .calm)
      page.facts([
        ("Notified", calendar.describeForOthers(date)), ("Your deadline was", deadline),
      ])
    case .passedOn(let date):
      page = HTMLPage("Your responders are still notified", state: ("Missed check-in", .alarm))
      page.lead("Now check in: open lifesignal, or run lifesignal check-in.")
      page.paragraph(
        "They get a message that you pressed “I'm OK” on \(calendar.describeForOthers(date)), and"
          + " that they should call to be sure. The alert stays on until you check in.")
    case .limitReached:
      page = HTMLPage("Please check in in the app", state: ("Check-in", .quiet))
      page.lead("Open lifesignal, or run lifesignal check-in.")
      page.paragraph(
        "Your last \(LinkCheckIn.limit) check-ins were by a link. The next one must be by you, because"
          + " anyone who reads your messages can press a link.")
      page.facts([("Your deadline", deadline)])
    case .checkedIn(let date):
      page = HTMLPage("You are checked in", state: ("OK", .calm))
      page.facts([
        ("Checked in", calendar.describeForOthers(date)), ("Next deadline", deadline),
      ])
    }
    if link.isAlertOn {
      page.paragraph(
        "Your alert is on, and a check-in leaves it on. To cancel it, open lifesignal, or run lifesignal"
          + " alert off.")
    }
    return WebResponse(status: gate == nil ? 200 : 403, html: page.html)
  }

  private static func complaint(_ gate: GateError, _ calendar: CivilCalendar) -> String {
    switch gate {
    case .locked(let end):
      "\(gate.errorDescription) Try again after \(calendar.describeForOthers(end))."
    case .required, .wrong, .afterReset: gate.errorDescription
    }
  }

  /// Where others could read the passphrase on its way.
  static func unencrypted(_ link: LinkCheckIn) -> WebResponse {
    var page = HTMLPage("This page isn't encrypted", state: ("Check-in", .quiet))
    page.lead("To check in, open lifesignal, or run lifesignal check-in.")
    page.paragraph(
      "Checking in needs your passphrase, which others could read on its way here. Only a link that begins"
        + " with https:// asks for it.")
    return WebResponse(status: 403, html: page.html)
  }
}
