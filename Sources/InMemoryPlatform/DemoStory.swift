import Domain
import FoundationEssentials

/// The past of the demo's person, told backwards from now.
struct DemoStory {
  let now: Date
  let calendar: CivilCalendar
  let makeUUID: () -> UUID

  private static let interval = try! CheckInInterval(.hours(36))
  private static let grace = TimeSpan.minutes(15)

  func account() -> Account {
    let checkIns = checkIns()
    let last = checkIns.last!
    var account = Account(
      user: User(
        id: makeUUID(),
        profile: Profile(
          name: "Ida Lindqvist", phone: "+46701740605",
          note: """
            Penicillin allergy. Asthma: inhaler in the blue jacket.
            Spare key with Bo, second floor. The dog is called Sot.
            """,
          email: "ida@example.org"),
        interval: Self.interval, reminders: [.hours(2), .minutes(30)], grace: Self.grace,
        checkInSequence: last.sequence, lastCheckIn: last.date, createdAt: checkIns[0].date))
    account.contacts = contacts(addedAt: account.user.createdAt)
    account.checkIns = checkIns
    raisePastAlerts(in: &account)
    account.alerts.sort { $0.alert.raisedAt < $1.alert.raisedAt }
    account.notifications = notifications(of: account)
    return account
  }

  // MARK: Check-ins

  /// Minutes after midnight at which the person checked in on a day, newest day first; the list
  /// repeats. The day without any is the one on which the responders were told.
  private static let days: [[Int]] = [
    [7 * 60 + 52], [8 * 60 + 4, 21 * 60 + 37], [7 * 60 + 46], [8 * 60 + 19], [7 * 60 + 58],
    [9 * 60 + 31, 22 * 60 + 12], [9 * 60 + 8], [7 * 60 + 49], [], [7 * 60 + 55],
    [8 * 60 + 1], [7 * 60 + 43, 20 * 60 + 55], [10 * 60 + 16], [8 * 60 + 33], [7 * 60 + 51],
  ]

  /// The last 40 check-ins, oldest first.
  private func checkIns() -> [CheckIn] {
    let time = calendar.time(of: now)
    let midnight = now - .seconds(time.hour * 3_600 + time.minute * 60 + time.second)
    var dates: [Date] = []
    var day = 0
    while dates.count < 40 {
      for minutes in Self.days[day % Self.days.count].reversed() {
        let date = midnight - .days(day) + .minutes(minutes) + .seconds(day * 37 % 60)
        if date < now - .minutes(5) { dates.append(date) }
      }
      day += 1
    }
    var previous: Date?
    return dates.prefix(40).reversed().enumerated().map { index, date in
      let margin = previous.map { previous in
        TimeSpan.seconds(
          Self.interval.span.seconds - Int(date.timeIntervalSince(previous).rounded()))
      }
      previous = date
      return CheckIn(
        id: makeUUID(), date: date, source: index % 9 == 4 ? .commandLine : .manual,
        sequence: index, margin: margin)
    }
  }

  // MARK: Contacts

  private func contacts(addedAt start: Date) -> [Contact] {
    let cast: [(name: String, phone: String?, email: String?, note: String, roles: Roles)] = [
      ("Bo Nyström", "+46731230044", "bo@example.org", "Neighbour, has the key.", .responder),
      ("Aoife O’Neill", "+353861234567", "aoife@example.net", "Sister.", [.responder, .dependent]),
      ("Dr. Amara Okafor", "+442071838750", "practice@example.com", "", .responder),
      ("小林 さくら", "+81312345678", "sakura@example.jp", "Walks with me on Sundays.", .responder),
      ("Grandpa Erik", "+46812345678", nil, "Lives alone, hard of hearing.", .dependent),
      ("Zoë van Dijk", "+31612345678", "zoe@example.nl", "Sails single-handed.", .dependent),
    ]
    return cast.enumerated().map { index, person in
      Contact(
        id: makeUUID(), name: person.name, phone: person.phone, note: person.note,
        roles: person.roles,
        channels: person.email.map {
          [Channel(id: makeUUID(), kind: .email, address: $0)]
        } ?? [], addedAt: start + .hours(index * 20))
    }
  }

  // MARK: Alerts

  private func raisePastAlerts(in account: inout Account) {
    let fall = account.raise(
      Alert(
        id: makeUUID(), kind: .manual, message: "Fell on the coast path, ankle, at the red hut.",
        raisedAt: now - .days(16) - .minutes(133), resolvedAt: now - .days(16) - .minutes(71)))
    for (index, responder) in account.responders.enumerated() {
      if index == 2 {
        tell(
          responder, .alertOn, of: fall, in: &account, .failed,
          error: "550 5.1.1 The mailbox is unknown.")
      } else {
        tell(responder, .alertOn, of: fall, in: &account)
        tell(responder, .alertOff, of: fall, in: &account)
      }
    }

    for late in account.checkIns {
      guard let margin = late.margin, margin < .zero else { continue }
      let deadline = late.date + margin
      let missed = account.raise(
        Alert(
          id: makeUUID(), kind: .missed, raisedAt: deadline + Self.grace,
          sequence: late.sequence - 1, resolvedAt: late.date))
      for responder in account.responders {
        tell(responder, .nonResponsive, of: missed, in: &account)
        tell(responder, .allClear, of: missed, in: &account)
      }
    }

    let mistake = account.raise(
      Alert(
        id: makeUUID(), kind: .manual, message: "", raisedAt: now - .hours(4),
        resolvedAt: now - .hours(4) + .minutes(2)))
    let responders = account.responders
    for responder in responders.prefix(3) {
      tell(responder, .alertOn, of: mistake, in: &account)
    }
    tell(responders[3], .alertOn, of: mistake, in: &account, .cancelled)
    tell(responders[0], .alertOff, of: mistake, in: &account)
    tell(responders[1], .alertOff, of: mistake, in: &account)
    tell(
      responders[2], .alertOff, of: mistake, in: &account, .pending,
      error: "451 4.7.1 Try again later.")
  }

  /// What the person was told on screen of all that; the last of it is unread.
  private func notifications(of account: Account) -> [NotificationItem] {
    var items: [NotificationItem] = []
    func tell(
      _ kind: NotificationItem.Kind, at date: Date, about subject: String = "",
      _ detail: String = ""
    ) {
      items.append(
        NotificationItem(
          id: makeUUID(), kind: kind, date: date, isRead: date < now - .hours(6),
          subject: subject, detail: detail))
    }
    for alert in account.alerts.map(\.alert) {
      let isMissed = alert.kind == .missed
      tell(isMissed ? .nonResponsive : .alertSent, at: alert.raisedAt, alert.message)
      tell(isMissed ? .allClear : .alertEnded, at: alert.resolvedAt ?? now)
    }
    for delivery in account.deliveries where delivery.state == .failed {
      tell(
        .deliveryFailed, at: delivery.finishedAt ?? now, about: delivery.planned.recipientName,
        delivery.lastError ?? "")
    }
    return items.filter { $0.date > now - NotificationItem.lifetime }
      .sorted { $0.date < $1.date }
  }

  private func tell(
    _ responder: Contact, _ stage: Stage, of alert: Alert, in account: inout Account,
    _ state: DeliveryState = .sent, error: String? = nil
  ) {
    let isEnd = stage == .allClear || stage == .alertOff
    let plannedAt = isEnd ? alert.resolvedAt ?? now : alert.raisedAt
    var delivery = StoredDelivery(
      id: makeUUID(),
      planned: PlannedDelivery(
        occasion: .alert(alert.id), stage: stage, recipient: .contact(responder.id),
        recipientName: responder.name, channel: .email, address: responder.email ?? ""),
      plannedAt: plannedAt, state: state, notBefore: plannedAt)
    delivery.attempts = state == .cancelled ? 0 : 1
    delivery.lastError = error
    if state == .pending {
      delivery.attempts = 9
      delivery.notBefore = now + .minutes(4)
    } else {
      delivery.finishedAt = plannedAt + .seconds(2)
    }
    account.deliveries.append(delivery)
  }
}

extension Account {
  fileprivate var responders: [Contact] { contacts.filter { $0.roles.contains(.responder) } }

  fileprivate mutating func raise(_ alert: Alert) -> Alert {
    alerts.append(StoredAlert(alert: alert, isSettled: true))
    return alert
  }
}
