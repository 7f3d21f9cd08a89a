import Clients
import Composable
import Domain
import SQLite
import FoundationEssentials

/// The other people of the demo as time passes: they check in, some of them late, answer pings,
/// acknowledge alerts and recover.
///
/// Each acts through the clients of their own account.
struct DemoNeighbours: Sendable {
  private let participants: [Participant]
  private let now: @Sendable () -> Date

  private struct Participant: Sendable {
    let clients: DependencyValues
    /// The share of the interval that passes before they check in.
    let share: Double
  }

  /// - Parameter platform: A platform from ``EmbeddedPlatform/demo(now:calendar:clock:)``.
  init(of platform: EmbeddedPlatform, now: @escaping @Sendable () -> Date) {
    self.now = now
    participants = DemoStory.everybody.enumerated().map { index, neighbour in
      // One in four is sometimes late.
      Participant(
        clients: platform.clients(of: neighbour.email),
        share: index % 4 == 3 ? 1.03 : 0.7 + Double(index) / 40)
    }
  }

  /// Acts once a minute until the task is cancelled.
  func live(on clock: any Clock<Duration>) async {
    for await _ in clock.timer(interval: .seconds(60)) { await step() }
  }

  /// Does what is due now.
  func step() async {
    for participant in participants {
      // A neighbour who can't do something now tries again a minute later.
      try? await comeBack(participant)
      try? await checkIn(participant)
      try? await answer(participant)
      try? await acknowledgeAlerts(participant)
    }
  }

  /// Checks in at the usual time; during an alert, three hours after it was raised.
  private func checkIn(_ participant: Participant) async throws {
    let user = try await participant.clients.userClient.currentUser()
    if let alert = try await participant.clients.alertClient.history(1).first?.alert, alert.isActive
    {
      guard alert.raisedAt < now() - .hours(3) else { return }
      if alert.kind == .manual { _ = try await participant.clients.alertClient.cancel() }
      _ = try await participant.clients.checkInClient.checkIn(.manual)
      return
    }
    let (start, end) = (user.deadline.start, user.deadline.promised)
    let wait = end.timeIntervalSince(start) * participant.share
    guard start.addingTimeInterval(wait) <= now() else { return }
    _ = try await participant.clients.checkInClient.checkIn(.manual)
  }

  /// Comes back from an outing ten minutes before its end.
  private func comeBack(_ participant: Participant) async throws {
    guard let outing = try await participant.clients.userClient.currentUser().outing,
      outing.until - .minutes(10) <= now()
    else { return }
    _ = try await participant.clients.checkInClient.endOuting(outing.id)
  }

  /// Answers a ping after a quarter of an hour.
  private func answer(_ participant: Participant) async throws {
    let pings = try await participant.clients.contactsClient.contacts().compactMap(
      \.link?.receivedPing)
    guard pings.contains(where: { $0.state == .open && $0.sentAt < now() - .minutes(15) }) else {
      return
    }
    _ = try await participant.clients.pingClient.answerAll()
  }

  /// Acknowledges an alert after four minutes.
  private func acknowledgeAlerts(_ participant: Participant) async throws {
    let contacts = try await participant.clients.contactsClient.contacts()
    for alert in contacts.compactMap(\.link?.dependentStatus?.alert)
    where alert.acknowledgements.isEmpty && alert.raisedAt < now() - .minutes(4) {
      _ = try await participant.clients.alertClient.acknowledge(alert.id)
    }
  }
}
