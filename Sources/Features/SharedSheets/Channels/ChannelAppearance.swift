import Domain
import FoundationEssentials
import Terminal

/// The marks and texts of channels in lists and details.
extension Channel.Kind {
  /// A mark one column wide. In ASCII, the marks are `@`, `/`, `+`, `#` and `*`.
  var mark: String {
    switch self {
    case .email: "✉"
    case .webhook: "↗"
    case .ntfy: "◆"
    case .desktop: "■"
    case .service: "•"
    }
  }

  var addressTitle: String {
    switch self {
    case .email, .desktop: "E-mail"
    case .webhook: "URL"
    case .ntfy: "Topic"
    case .service: "Service"
    }
  }

  var placeholder: String {
    switch self {
    case .email, .desktop: "grace@example.org"
    case .webhook: "https://example.org/hook"
    case .ntfy: "its name, or https://ntfy.example.org/topic"
    case .service: "telegram:123456789"
    }
  }
}

extension Contact {
  /// The marks of the contact's channels, one column for each kind, or `⚑` for a contact with an
  /// account.
  var reachMarks: String {
    guard link == nil else { return "⚑" }
    let kinds = Channel.Kind.allCases.filter { kind in channels.contains { $0.kind == kind } }
    return kinds.isEmpty ? "✗ no channel" : kinds.map(\.mark).joined()
  }
}

/// The text and colour for a channel's last message.
struct ChannelHealthLine: Equatable {
  var text: String
  var role: ThemeRole

  init(_ channel: Channel, in snapshot: AccountSnapshot) {
    let overview = snapshot.channels
    let isTest: Bool
    if case .channelTest = overview.last[channel.id]?.stage {
      isTest = true
    } else {
      isTest = false
    }
    let what = isTest ? "test " : ""
    func describe(_ date: Date) -> String { snapshot.calendar.describe(date, now: snapshot.now) }
    switch overview.health(of: channel.id) {
    case .unused: (text, role) = ("never used", .dim)
    case .waiting:
      if let failureReason = snapshot.failureReason(on: channel.kind) {
        (text, role) = ("\(what)waits: \(failureReason)", .warning)
      } else {
        (text, role) = ("\(what)is on its way", .dim)
      }
    case .sent(let date): (text, role) = ("\(what)sent \(describe(date))", .calm)
    case .retrying(let date, let reason):
      (text, role) = ("\(what)trying again \(describe(date)): \(reason)", .warning)
    case .failed(let date, let reason):
      (text, role) = ("\(what)failed \(describe(date)): \(reason)", .danger)
    }
    text = text.capitalizedFirst
  }
}

/// A row with a channel, its health and its muted topics.
struct ChannelLine: View {
  let channel: Channel
  let snapshot: AccountSnapshot
  var addressWidth = 24

  var body: some View {
    let health = ChannelHealthLine(channel, in: snapshot)
    HStack(spacing: 1) {
      Text(channel.kind.mark).frame(width: 1).accessibilityLabel(channel.kind.title)
      Text(channel.shortAddress).frame(width: addressWidth, alignment: .leading)
      Text(health.text).foreground(health.role).frame(maxWidth: .max, alignment: .leading)
      if let off = snapshot.channels.muted.line(of: channel.id) {
        Text(off).foreground(.warning).layoutPriority(1)
      }
    }
    .lineLimit(1)
  }
}
