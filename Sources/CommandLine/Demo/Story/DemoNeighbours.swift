import Clients
import Composable
import Domain
import SQLite
import FoundationEssentials

/// What the demo's other people do by themselves while time passes: they check in, some of them
/// late, answer pings, acknowledge alerts and recover.
///
/// They do it as people would, each through the clients of a seat of their own.
struct DemoNeighbours: Sendable {
  private let seats: [Seat]
  private let now: @Sendable () -> Date

  private struct Seat: Sendable {
    let clients: DependencyValues
    /// Which part of the interval they let pass before they check in.
    let share: Double
  }

  /// - Parameter platform: One made by ``EmbeddedPlatform/demo(now:calendar:clock:)``.
  init(of platform: EmbeddedPlatform, now: @escaping @Sendable () -> Date) {
    self.now = now
    seats = DemoStory.everybody.enumerated().map { index, neighbour in
      // One in four is late at times.
      Seat(
        clients: platform.clients(of: neighbour.email),
        share: index % 4 == 3 ? 1.03 : 0.7 + Double(index) / 40)
    }
  }

  /// Lives until the task is cancelled, a minute at a time.
  func live(on clock: any Clock<Duration>) async {
    for await _ in clock.timer(interval: .seconds(60)) { await step() }
  }

  /// Does what is due now.
  func step() async {
    for seat in seats {
      // A neighbour who can't do something now does it a minute later.
      try? await checkIn(seat)
      try? await answer(seat)
      try? await takeCare(seat)
    }
  }

  /// Somebody in need is helped after a while; the others check in when they are used to.
  private func checkIn(_ seat: Seat) async throws {
    let user = try await seat.clients.userClient.currentUser()
    if let alert = try await seat.clients.alertClient.history(1).first?.alert, alert.isActive {
      guard alert.raisedAt < now() - .hours(3) else { return }
      if alert.kind == .manual { _ = try await seat.clients.alertClient.cancel(nil) }
      _ = try await seat.clients.checkInClient.checkIn(.manual, nil)
      return
    }
    let wait = Double(user.interval.span.seconds) * seat.share
    guard user.deadline.start.addingTimeInterval(wait) <= now() else { return }
    _ = try await seat.clients.checkInClient.checkIn(.manual, nil)
  }

  /// A ping is answered after a quarter of an hour.
  private func answer(_ seat: Seat) async throws {
    let pings = try await seat.clients.contactsClient.contacts().compactMap(\.link?.receivedPing)
    guard pings.contains(where: { $0.state == .open && $0.sentAt < now() - .minutes(15) }) else {
      return
    }
    _ = try await seat.clients.pingClient.answerAll(nil)
  }

  /// An alert is acknowledged after four minutes.
  private func takeCare(_ seat: Seat) async throws {
    let contacts = try await seat.clients.contactsClient.contacts()
    for alert in contacts.compactMap(\.link?.dependentStatus?.alert)
    where alert.acknowledgements.isEmpty && alert.raisedAt < now() - .minutes(4) {
      _ = try await seat.clients.alertClient.acknowledge(alert.id)
    }
  }
}
