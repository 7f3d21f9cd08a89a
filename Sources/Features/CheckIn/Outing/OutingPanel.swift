import Composable
import Domain
import FoundationEssentials
import Terminal

/// The outing that is on: how much time is left, and what ends it or has it end later (OUT-1).
struct OutingPanel: View {
  let outing: Outing
  let store: StoreOf<CheckInFeature>

  /// The rows that it takes.
  static let rows = 4

  private var snapshot: AccountSnapshot { store.snapshot }

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      (Text(headline).bold().foreground(role) + Text(text).foreground(.text)).lineLimit(1)
      HStack(spacing: 1) {
        if let kept {
          Text("You said at \(kept) that you are back – NOT received yet.").foreground(.danger)
            .lineLimit(1)
        } else {
          Button("I'm back", key: "b", role: role) { store.send(.backButtonTapped) }
          if canBeLater { Button("Later", key: "+") { store.send(.laterButtonTapped) } }
          Text(who).foreground(.dim).lineLimit(1)
        }
        Spacer(minLength: 0)
      }
    }
    .padding(.horizontal, 1)
    .frame(maxWidth: .max)
    .border(title: "Outing", role: role == .calm ? .border : role)
    .frame(height: Self.rows)
  }

  /// When *I'm back* was said that still waits for the server, or `nil` (OUT-5).
  private var kept: String? {
    snapshot.outbox.waiting.first { $0.outing == outing.id }
      .map { snapshot.calendar.time(of: $0.madeAt).clock }
  }

  /// Once the responders are notified, it can only end.
  private var canBeLater: Bool { snapshot.alerts.notBack == nil }

  private var role: ThemeRole {
    let status = outing.status(at: snapshot.now)
    return snapshot.alerts.notBack == nil ? status.role : .danger
  }

  private var headline: String {
    let left = outing.distanceText(at: snapshot.now)
    let until = describe(outing.until)
    return snapshot.now < outing.until
      ? "Back in \(left), \(until)" : "You were to be back \(until), \(left) ago"
  }

  private var text: String {
    outing.text.isEmpty ? "" : " · \(outing.text.replacing("\n", with: "; "))"
  }

  /// The chosen responders; none if everyone is notified.
  private var chosen: [Contact] {
    snapshot.contacts.filter { outing.responders.contains($0.id) && $0.isResponder }
  }

  private var who: String {
    if let alert = snapshot.alerts.notBack {
      let text = alert.notifiedText(in: snapshot)
      return text.prefix(1).uppercased() + text.dropFirst()
    }
    let names = chosen.map(\.name)
    let who =
      names.count == 1 ? "\(names[0]) is" : "\(names.isEmpty ? "they" : names.joinedAsList) are"
    return "If not, \(who) notified \(describe(outing.graceEnd))."
  }

  private func describe(_ date: Date) -> String {
    snapshot.calendar.describe(date, now: snapshot.now)
  }
}
