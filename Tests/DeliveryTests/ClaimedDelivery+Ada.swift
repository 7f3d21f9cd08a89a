import Domain
import FoundationEssentials

let start = Date(timeIntervalSince1970: 1_795_000_000)

extension ClaimedDelivery {
  /// A message about Ada, who last checked in at `start`, to Bob or to herself.
  static func ada(
    _ stage: Stage, name: String = "Ada", phone: String? = "+4930123456", note: String = "",
    message: String = "", to address: String = "bob@example.org", recipientName: String = "Bob",
    inReplyTo: MessageID? = nil, kind: Alert.Kind = .manual, detail: String = "",
    resolvedAt: Date? = nil, channel: Channel.Kind = .email, secret: String? = nil,
    code: String? = nil, livesAt home: String? = nil, access: String? = nil
  ) -> ClaimedDelivery {
    var user = User(
      id: UUID(uuidString: "00000000-0000-0000-0000-000000000001")!,
      profile: Profile(
        name: name, phone: phone, note: note, email: "ada@example.org", address: home,
        access: access),
      checkInSequence: 7, lastCheckIn: start, createdAt: start)
    if stage.isAboutOuting {
      user.outing = Outing(
        id: UUID(), text: "Ben Nevis", until: start + .hours(4), startedAt: start)
    }
    let alert: Alert?
    switch stage {
    case .reminder, .pauseEnds, .deadlinePassed, .noticedLate, .accountDeleted, .passwordReset,
      .contactAdded, .channelTest, .unwatched, .passwordWasReset, .addressCode, .addressReplaced,
      .addressTakenBack, .requestWaits, .serverRestored, .responderNotice, .reassurance, .checkedIn,
      .outingEnds, .outingNoticedLate:
      alert = nil
    case .nonResponsive, .nonResponsiveAgain, .allClear, .linkPressed, .lateSign:
      alert = Alert(
        id: UUID(), kind: .missed, raisedAt: user.deadline.graceEnd, sequence: 7,
        resolvedAt: resolvedAt)
    case .alertOn, .alertOnAgain, .alertOff, .alertNote, .acknowledged,
      .withdrawn:
      alert = Alert(
        id: UUID(), kind: kind, message: message, raisedAt: start + .hours(1),
        resolvedAt: resolvedAt)
    }
    return ClaimedDelivery(
      id: UUID(uuidString: "11111111-2222-3333-4444-555555555555")!, token: UUID(), attempt: 1,
      stage: stage, recipient: .contact(UUID()), recipientName: recipientName, channel: channel,
      address: address, inReplyTo: inReplyTo, detail: detail, plannedAt: start, user: user,
      alert: alert, secret: secret.map { Secret($0) }, code: code.map { Secret($0) })
  }
}

extension Stage {
  /// One of each stage.
  static let samples: [Stage] = [
    .reminder(.minutes(30)), .pauseEnds, .deadlinePassed, .noticedLate, .passwordReset,
    .passwordWasReset(UUID()), .addressCode, .addressReplaced, .addressTakenBack(UUID()),
    .requestWaits(UUID()), .serverRestored(UUID()),
    .nonResponsive, .nonResponsiveAgain(2), .alertOn, .alertOnAgain(2), .accountDeleted, .allClear,
    .alertOff, .alertNote(UUID()), .acknowledged(UUID()), .withdrawn(UUID()), .linkPressed,
    .lateSign,
    .contactAdded, .channelTest(UUID()),
    .unwatched, .responderNotice(UUID()), .reassurance(UUID()), .checkedIn(UUID()),
    .outingEnds(.minutes(30), start + .hours(4)), .outingEnds(.zero, start + .hours(4)),
    .outingNoticedLate(start + .hours(4)),
  ]
}
