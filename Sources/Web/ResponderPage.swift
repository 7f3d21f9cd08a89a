import Domain
import FoundationEssentials

/// The page behind the link of a message to a responder, readable at one glance (PAGE-1).
enum ResponderPage {
  /// Returns the page while an alert is on: what happened, who to call, who is responding, and the
  /// button.
  static func call(
    _ call: ResponseInvitation.Call, invitation: ResponseInvitation, calendar: CivilCalendar
  ) -> WebResponse {
    let name = invitation.person.outgoing
    let alert = call.alert
    let since = calendar.describeForOthers(alert.raisedAt)
    let hasResponded = invitation.hasResponded
    let lines = (call.address ?? "").outgoing.split(separator: "\n")
    let place = lines.isEmpty ? "" : ": " + lines.joined(separator: ", ")
    var page: HTMLPage
    switch alert.kind {
    case .drill: page = HTMLPage("\(name) is rehearsing an alert", state: ("Drill", .quiet))
    case _ where hasResponded:
      page = HTMLPage("You are responding to \(name)'s alert", state: ("Alert is on", .alarm))
    case .manual: page = HTMLPage("\(name) needs help", state: ("Alert", .alarm))
    case .outing: page = HTMLPage("\(name) isn't back", state: ("Not back", .alarm))
    case .missed: page = HTMLPage("\(name) has not checked in", state: ("Missed check-in", .alarm))
    case .duress:
      page = HTMLPage(
        "\(name) may be forced to say that all is well", state: ("Silent alert", .alarm))
    }
    if hasResponded {
      page.lead("Thank you. Anyone else who was notified gets a message that you are responding.")
    }
    switch alert.kind {
    case .drill:
      page.lead(
        hasResponded
          ? "This was only a drill. You don't need to do anything else."
          : "This is only a test. Press the button to practise saying that you are responding.")
    case .duress:
      page.lead(
        "Call the emergency services now. Don't call \(name), don't write to them, and don't answer them."
      )
    case .manual, .missed, .outing:
      if hasResponded {
        page.steps([
          "Call \(name).", "If they don't answer, go there or send someone\(place).",
          "If they may be in danger, call the emergency services: \(EmergencyNumber.of(phone: call.phone)).",
          "If you can't help after all, press the button at the end of this page.",
        ])
      } else {
        page.lead("Try to reach them now. If you can't, go there or send someone\(place).")
      }
    }
    if let phone = call.phone, alert.kind != .duress {
      page.phone("Call \(PhoneNumber.grouped(phone))", phone)
    }
    let others = alert.acknowledgements
    if invitation.hasWithdrawn {
      page.paragraph("You are no longer responding. Those who knew are notified.")
    }
    if !hasResponded {
      page.button(others.isEmpty ? "I'm responding" : "I'm responding, too", .calm)
    }
    let isOuting = alert.kind == .outing
    if !alert.message.isEmpty {
      page.quote(alert.message, of: isOuting ? "\(name) wrote before leaving" : "\(name) says")
    }
    var facts = [("Since", since)]
    if let dueBack = alert.dueBack {
      facts.insert(("Was to be back by", calendar.describeForOthers(dueBack)), at: 0)
    }
    if let address = call.address, !address.isEmpty {
      facts.append(("Address", address.outgoing))
    }
    if call.lastCheckIn > .distantPast {
      let byLink = call.lastSource == .link ? ", by a link" : ""
      facts.append(("Last check-in", calendar.describeForOthers(call.lastCheckIn) + byLink))
    }
    facts.append(
      (
        "Responding",
        others.isEmpty
          ? "Nobody yet"
          : others.map { "\($0.name.outgoing), since \(calendar.describeForOthers($0.date))" }
            .joined(separator: "; ")
      ))
    if let phone = call.phone, alert.kind == .duress {
      facts.append(("Phone, do not call it", PhoneNumber.grouped(phone)))
    }
    page.facts(facts.map { (name: $0.0, value: $0.1) })
    if let access = call.access, !access.isEmpty { page.quote(access, of: "How to get in") }
    if !call.note.isEmpty { page.quote(call.note, of: "\(name)'s emergency note") }
    if hasResponded, alert.kind != .drill {
      page.button("I can't help after all", .quiet, field: ("answer", ResponderPages.withdraw))
    }
    page.small(
      alert.kind == .duress
        ? "The people with \(name) must not find out about this page."
        : "You get another message when the alert is over. Load this page again to see what is new."
    )
    return WebResponse(html: page.html)
  }

  /// Returns the page for a person who was added as a contact.
  static func naming(_ invitation: ResponseInvitation) -> WebResponse {
    let name = invitation.person.outgoing
    var page = HTMLPage(
      invitation.hasResponded ? "You are off \(name)'s list" : "\(name) named you as a contact")
    if invitation.hasResponded {
      page.paragraph("\(name) is notified. You get no more messages about them.")
    } else {
      page.paragraph(
        "LifeSignal notifies you if \(name) misses a check-in or raises an alert. If that is fine, you"
          + " don't need to do anything.")
      page.button("Take me off the list", .quiet)
      page.small("\(name) is notified if you do.")
    }
    return WebResponse(html: page.html)
  }

  /// The page after the end, which shows nothing of the person any more.
  static let over = plain("This alert or drill is over", ["You don't need to do anything."])

  /// The page for every code that can do nothing. It doesn't reveal whether the code ever could.
  static let nothing = plain(
    "Nothing to do here",
    [
      "This link is wrong, or it has expired.",
      "If someone may be in danger, call the emergency services: 112 in Europe, 911 in North America.",
    ], status: 404)
  static let tooManyTries = plain(
    "Too many tries", ["Please try again in a minute."], status: 429, headers: ["Retry-After": "60"]
  )
  static let unavailable = plain(
    "This isn't working right now",
    ["Please try again in a minute, or call the person who sent you here."], status: 503)

  /// Returns the page for a request that no button makes.
  static func refusal(_ status: Int) -> WebResponse {
    status == 405
      ? plain("That isn't possible here", [], status: 405, headers: ["Allow": "GET, HEAD, POST"])
      : plain("That is too much data", [], status: status)
  }

  private static func plain(
    _ title: String, _ paragraphs: [String], status: Int = 200, headers: [String: String] = [:]
  ) -> WebResponse {
    var page = HTMLPage(title)
    for paragraph in paragraphs { page.paragraph(paragraph) }
    return WebResponse(status: status, html: page.html, headers: headers)
  }
}

extension WebServer {
  /// Creates a server for the pages behind the links in messages.
  /// - Throws: ``Failure`` if it can't listen there.
  public convenience init(
    host: String, port: Int, proxy: String? = nil, isEncrypted: Bool = false,
    limits: Limits = Limits(),
    clock: any Clock<Duration> = ContinuousClock(), pages: ResponderPages
  ) throws(Failure) {
    try self.init(
      host: host, port: port, proxy: proxy, isEncrypted: isEncrypted, limits: limits,
      clock: clock,
      unavailable: ResponderPage.unavailable, refusal: ResponderPage.refusal,
      handler: { await pages.answer($0) })
  }
}
