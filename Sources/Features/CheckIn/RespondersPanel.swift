import Domain
import FoundationEssentials
import Terminal

/// The responders beside the countdown. Each row shows a responder's channels and the result of the
/// last message.
struct RespondersPanel: View {
  let snapshot: AccountSnapshot

  /// The window width from which there is space for the panel.
  static let leastColumns = 100

  /// The rows of the panel, including its border, above the last check-ins: as many as it needs, up
  /// to half of the rows or what the check-ins leave.
  static func rows(for snapshot: AccountSnapshot, of rows: Int) -> Int {
    let left = max(rows / 2, rows - 2 - max(1, snapshot.history.count))
    return min(max(5 + 2, left), 2 + max(1, snapshot.responderCount))
  }

  var body: some View {
    SizeReader { size in
      VStack(alignment: .leading, spacing: 0) {
        let count = snapshot.responderCount
        if !snapshot.areContactsKnown, !snapshot.hasNoResponders {
          ProgressView("Reading your responders")
        } else if count == 0 {
          Text("Nobody yet. Press 2, then a.").bold().foreground(.danger)
        }
        let shown = count > size.rows ? size.rows - 1 : count
        // Responders whose messages are refused come first, so that they always fit.
        let reach = snapshot.situation.reach
        ForEach(Array((reach.firstRefused + reach.firstReachable).prefix(shown)), id: \.id) {
          row($0)
        }
        if count > shown, count > 0 { Text("and \(count - shown) more: press 2").foreground(.dim) }
        Spacer(minLength: 0)
      }
    }
    .padding(.horizontal, 1)
    .border(title: "Responders")
  }

  private func row(_ contact: Contact) -> some View {
    let reach = snapshot.situation.reach(of: contact, snapshot.channels)
    let (mark, role) = reach.mark
    return HStack(spacing: 1) {
      Text(mark).foreground(role).frame(width: 1).accessibilityLabel("")
      name(of: contact).frame(maxWidth: .max, alignment: .leading)
      Text(contact.kindsText).foreground(.dim).layoutPriority(1)
      Text(reach.text(in: snapshot)).foreground(role == .danger ? .danger : .text)
        .frame(width: 16, alignment: .trailing).layoutPriority(1)
    }
    .lineLimit(1)
  }
}

extension RespondersPanel {
  /// The name, with when they are notified if that isn't at once (ESC-8).
  private func name(of contact: Contact) -> Text {
    guard let wait = contact.waitText else { return Text(contact.name) }
    return Text(contact.name) + Text(", \(wait)").foreground(.dim)
  }
}

extension ResponderReach {
  /// A mark whose shape says the same as its colour.
  var mark: (text: String, role: ThemeRole) {
    switch self {
    case .byAccount, .sent: ("●", .calm)
    case .noChannel, .refused, .leftOut: ("✗", .danger)
    case .failing: ("▲", .danger)
    case .waiting, .untried: ("◌", .dim)
    }
  }

  /// The result of the last message.
  func text(in snapshot: AccountSnapshot) -> String {
    switch self {
    case .byAccount: "by their account"
    case .noChannel: "no channel"
    case .refused: "refused"
    case .leftOut: "can't be reached"
    case .sent(let date): "sent \(snapshot.calendar.shortDay(of: date, now: snapshot.now))"
    case .failing: "not sent"
    case .waiting: "on its way"
    case .untried: "never tried"
    }
  }
}

extension Contact {
  /// The kinds of their channels, such as `mail, ntfy`; empty for a contact with an account.
  fileprivate var kindsText: String {
    guard link == nil else { return "" }
    let kinds = Channel.Kind.allCases.lazy.filter { kind in channels.contains { $0.kind == kind } }
    return kinds.map(\.shortTitle).joined(separator: ", ")
  }
}

extension CivilCalendar {
  /// A date in short form: `today 08:00`, `Mon`, `2026-10-04`.
  fileprivate func shortDay(of date: Date, now: Date) -> String {
    let text = describe(date, now: now)
    guard time(of: date).dayNumber != time(of: now).dayNumber else { return text }
    return text.prefix { $0 != " " }.description
  }
}
