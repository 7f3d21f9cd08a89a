public import Domain
public import FoundationEssentials

extension UUID {
  /// Derives the identifier of a message about an alert from everything that distinguishes it, so
  /// that every sender, before or after the store knew of the alert, sends the same message
  /// (ESC-3).
  public init(of message: PlannedDelivery, about alert: Alert.ID) {
    let recipient =
      switch message.recipient {
      case .owner: "owner"
      case .contact(let id): id.uuidString
      }
    // The address comes last: only it can contain a space.
    self.init(
      derivedFrom: [
        alert.uuidString, message.stage.storageKey, recipient, message.channel.rawValue,
        message.address,
      ].joined(separator: " "))
  }

  /// Derives the identifier of a message to a person about their deadline, in the same way.
  public init(of message: PlannedDelivery, aboutDeadlineOf user: User) {
    var sequence = user.checkInSequence
    if case .deadline(let number) = message.occasion { sequence = number }
    let seconds = Int(bounded: user.lastCheckIn.timeIntervalSince1970)
    self.init(
      derivedFrom: [
        "deadline", user.id.uuidString, "\(sequence)", "\(seconds)", message.stage.storageKey,
        message.channel.rawValue, message.address,
      ].joined(separator: " "))
  }

  /// Derives the identifier of the alert for a missed deadline, the same for every monitor that
  /// raises it. The last check-in distinguishes sequences that were counted twice, before and after
  /// a backup was restored.
  public init(ofMissedAlertOf user: User) {
    let seconds = user.lastCheckIn.timeIntervalSince1970
    self.init(
      derivedFrom: "missed \(user.id.uuidString) \(user.checkInSequence) \(Int(bounded: seconds))")
  }

  /// Derives the identifier of a row that an account imports, the same for each import. Nobody can
  /// choose it, so it never refers to another row.
  public init(ofImported row: UUID, into user: User.ID) {
    self.init(derivedFrom: "imported \(row.uuidString) \(user.uuidString)")
  }
}
