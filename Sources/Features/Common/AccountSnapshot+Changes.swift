import Domain

extension AccountSnapshot {
  /// A change of the account's data, as a stream or the server's last answer brings it.
  enum Change: Codable, Equatable, Sendable {
    case user(User)
    case history([CheckIn])
    case record(CheckInRecord)
    case alerts([AlertReport])
    case armed(ArmedAlert?)
    case watch(WatchStatus)
    case contacts([Contact])
    /// The summary of the contacts, before the contacts themselves.
    case overview(ContactOverview)
    case channels(ChannelOverview)
    case notifications([NotificationItem])
    /// The notifications from the server's last answer, before the current ones.
    case lastNotifications([NotificationItem])
    case connection(ConnectionState)
    case outbox(Outbox)
    /// A stream failed, and is reopened after a delay.
    case failed(Part, ErrorText)
    /// A stream that had failed works again.
    case resumed(Part)
  }

  /// Shows a change. What an alert that is armed means is for the emergency panel to say.
  mutating func apply(_ change: Change) {
    switch change {
    case .user(let user): self.user = user
    case .history(let history): self.history = history
    case .record(let record): self.record = record
    case .alerts(let alerts): self.alerts = alerts
    case .armed: break
    case .watch(let watch): self.watch = watch
    case .contacts(let contacts): self.contacts = contacts
    case .overview(let overview): expect(overview)
    case .channels(let channels): self.channels = channels
    case .notifications(let items): notifications = items
    case .lastNotifications(let items): expect(items)
    case .connection(let connection): self.connection = connection
    case .outbox(let outbox): self.outbox = outbox
    case .failed(let part, let error): note(error, of: part, at: now)
    case .resumed(let part): stalls[part] = nil
    }
  }
}
