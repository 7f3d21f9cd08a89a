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
    let reach = ResponderReach(contact, in: snapshot)
    return HStack(spacing: 1) {
      Text(reach.mark).foreground(reach.role).frame(width: 1).accessibilityLabel("")
      Text(contact.name).frame(maxWidth: .max, alignment: .leading)
      Text(reach.channels).foreground(.dim).layoutPriority(1)
      Text(reach.last).foreground(reach.role == .danger ? .danger : .text)
        .frame(width: 16, alignment: .trailing).layoutPriority(1)
    }
    .lineLimit(1)
  }
}

/// Whether a responder can be notified, judging by their channels and the last messages.
struct ResponderReach: Equatable {
  /// The kinds of channel, such as `mail, ntfy`.
  var channels: String
  /// The result of the last message.
  var last: String
  var mark: String
  var role: ThemeRole

  init(_ contact: Contact, in snapshot: AccountSnapshot) {
    guard contact.link == nil else {
      (channels, last, mark, role) = ("", "by their account", "●", .calm)
      return
    }
    let kinds = Channel.Kind.allCases.filter { kind in
      contact.channels.contains { $0.kind == kind }
    }
    channels = kinds.map(\.word).joined(separator: ", ")
    let health = contact.channels.map { snapshot.channels.health(of: $0.id) }
    let sent = health.compactMap { if case .sent(let date) = $0 { date } else { nil } }.max()
    if contact.channels.isEmpty {
      (last, mark, role) = ("no channel", "✗", .danger)
    } else if snapshot.isRefused(contact) {
      (last, mark, role) = ("refused", "✗", .danger)
    } else if snapshot.isLeftOut(contact) {
      (last, mark, role) = ("can't be reached", "✗", .danger)
    } else if let sent {
      last = "sent \(snapshot.calendar.shortDay(of: sent, now: snapshot.now))"
      (mark, role) = ("●", .calm)
    } else if health.contains(where: \.isFailing) {
      (last, mark, role) = ("not sent", "▲", .danger)
    } else if health.contains(.waiting) {
      (last, mark, role) = ("on its way", "◌", .dim)
    } else {
      (last, mark, role) = ("never tried", "◌", .dim)
    }
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
