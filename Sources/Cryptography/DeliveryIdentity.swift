public import Domain
public import FoundationEssentials

extension UUID {
  /// The identity of a message about an alert, from what makes it another message than any other:
  /// every sender, before or after the store knew of it, sends the same one (ESC-3).
  public init(of message: PlannedDelivery, about alert: Alert.ID) {
    let recipient =
      switch message.recipient {
      case .owner: "owner"
      case .contact(let id): id.uuidString
      }
    // The address last: it alone may hold a space.
    self.init(
      derivedFrom: [
        alert.uuidString, message.stage.storageKey, recipient, message.channel.rawValue,
        message.address,
      ].joined(separator: " "))
  }

  /// The identity of a message to the person about a deadline of theirs, in the same way.
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

  /// The identity of the alert of a missed deadline, by whatever monitor it is raised. The last
  /// check-in tells sequences apart that were counted twice, before and after a backup was restored.
  public init(ofMissedAlertOf user: User) {
    let seconds = user.lastCheckIn.timeIntervalSince1970
    self.init(
      derivedFrom: "missed \(user.id.uuidString) \(user.checkInSequence) \(Int(bounded: seconds))")
  }
}
