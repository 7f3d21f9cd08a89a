import Clients
import Domain
import Foundation
import Server
import ServerTesting
import SharedPlatform
import Store
import TestSupport
import Testing

/// What happens to a check-in that waits when something is changed on another device in the meantime.
@Suite(.timeLimit(.minutes(2))) struct OutboxElsewhereTests: OfflineSuite {
  let offline: OfflineMachine

  init() throws { offline = try OfflineMachine() }

  /// An app with a check-in that waits.
  private func makeApp() async throws -> (OfflineApp, made: Date) {
    let app = try offline.start()
    try await app.signUp()
    pass(3_600)
    app.line = .down
    let made = world.now
    await #expect(throws: ClientError.queued(at: machine.wall())) {
      _ = try await app.clients.checkInClient.checkIn(.manual)
    }
    return (app, made)
  }

  private var elsewhere: RemoteApp { world.app(token: token.value) }

  private func delivered(_ app: OfflineApp) async throws -> OfflineClient.Delivery {
    app.line = .up
    return try #require(await app.clients.offlineClient.sync().first)
  }

  @Test("OFF-3, CHK-4: a shorter interval that was set elsewhere counts for a check-in that waits")
  func interval() async throws {
    let (app, made) = try await makeApp()
    pass(600)
    _ = try await elsewhere.clients.checkInClient.updateInterval(CheckInInterval(.hours(2)))
    let user = try #require(try await delivered(app).user)
    #expect(user.deadline.date == made + .hours(2))
  }

  @Test(
    "OFF-3, CHK-7: a check-in received during a pause that was set elsewhere leaves the pause on")
  func pause() async throws {
    let (app, _) = try await makeApp()
    pass(600)
    let end = world.now + .days(2)
    _ = try await elsewhere.clients.checkInClient.pause(end)
    let user = try #require(try await delivered(app).user)
    #expect(user.pausedUntil == end && user.deadline.date == end + user.interval.span)
  }

  @Test("OFF-3, CHK-7: received after a pause has ended, it doesn't bring the deadline forward")
  func pauseThatEnded() async throws {
    let (app, _) = try await makeApp()
    pass(600)
    let end = world.now + .hours(3)
    _ = try await elsewhere.clients.checkInClient.pause(end)
    pass(4 * 3_600)
    let user = try #require(try await delivered(app).user)
    #expect(user.deadline.date == end + user.interval.span)
  }

  @Test("OFF-5: in an account that was deleted or disabled since, it is refused with the reason")
  func gone() async throws {
    let (app, _) = try await makeApp()
    let administration = world.store.administration
    #expect(try await administration.setDisabled(true, email: "ida@example.org"))
    let delivery = try await delivered(app)
    #expect(delivery.error == ClientError.accountDisabled.text)
    #expect(app.clients.offlineClient.outbox().refused.count == 1)
  }

  @Test("OFF-3: a clock that stood in 1970 when it was made never makes a check-in younger")
  func clockOfOld() async throws {
    let (app, _) = try await makeApp()
    app.line = .up
    _ = await app.clients.offlineClient.sync()
    let known = try await elsewhere.clients.userClient.currentUser().lastCheckIn
    pass(3_600)
    app.line = .down
    // After a start without a clock; then the network sets it.
    machine.restart(after: 60)
    world.now += 60
    let ahead = world.now.timeIntervalSince1970
    machine.jump(-ahead)
    let second = try offline.start()
    second.line = .down
    await #expect(throws: ClientError.self) {
      _ = try await second.clients.checkInClient.checkIn(.manual)
    }
    pass(600)
    machine.jump(ahead)
    let user = try #require(try await delivered(second).user)
    #expect(user.lastCheckIn == known)
  }
}
