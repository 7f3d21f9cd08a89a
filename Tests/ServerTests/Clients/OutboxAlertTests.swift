import Clients
import ComposableTesting
import DeliveryTesting
import Domain
import Foundation
import ServerTesting
import Synchronization
import TestSupport
import Testing

@testable import SharedPlatform

/// Alerts that a device keeps until its server has received them.
@Suite(.timeLimit(.minutes(2))) struct OutboxAlertTests: OfflineSuite {
  let offline: OfflineMachine
  private let id = UUID(uuidString: "00000000-0000-4000-8000-000000000001")!

  init() throws { offline = try OfflineMachine() }

  private func makeApp(signedUp: Bool = true) async throws -> OfflineApp {
    let app = try offline.start(TestClock())
    if signedUp { try await app.signUp() }
    return app
  }

  /// The alerts as the server has them, newest first.
  private func alerts() async throws -> [Alert] {
    try await world.app(token: token.value).clients.alertClient.history(9).map(\.alert)
  }

  /// Raises an alert while the server can't be asked.
  private func queue(_ app: OfflineApp, _ id: UUID, _ text: String = "") async {
    await #expect(throws: ClientError.self) {
      _ = try await app.clients.alertClient.arm(id, text, .zero)
    }
  }

  @Test("OFF-1: an alert that the server has received leaves no file")
  func online() async throws {
    let app = try await makeApp()
    guard case .armed = try await app.clients.alertClient.arm(id, "Fell", .seconds(5)) else {
      Issue.record("it counts down")
      return
    }
    #expect(files == [])
    guard case .raised(let alert) = try await app.clients.alertClient.arm(id, "Fell", .zero) else {
      Issue.record("it is on")
      return
    }
    #expect(alert.id == id && alert.message == "Fell")
    #expect(files == [] && app.starts.withLock { $0 } == 0)
    #expect(app.clients.offlineClient.outbox() == Outbox())
  }

  @Test(
    "OFF-1, ALT-7: an alert raised offline is kept, and raised at its own instant once the server answers"
  )
  func offline() async throws {
    let app = try await makeApp()
    app.line = .down
    await queue(app, id, "Fell at the red hut")
    let raised = world.now
    #expect(files == ["alert-\(id.uuidString.lowercased()).json"])
    #expect(app.starts.withLock { $0 } == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: outbox + "/" + files[0])
    #expect(mode[.posixPermissions] as? Int == 0o600)
    let waiting = try #require(app.clients.offlineClient.outbox().alert)
    #expect(waiting == Outbox.Alert(id: id, raisedAt: machine.wall()))
    pass(120)
    // A program that starts later, in the same session.
    let second = try await makeApp(signedUp: false)
    #expect(await second.clients.offlineClient.sendAlerts().map(\.result) == [.sent])
    let alert = try #require(try await alerts().first)
    #expect(alert.id == id && alert.raisedAt == raised && alert.message == "Fell at the red hut")
    #expect(files == [])
  }

  @Test(
    "OFF-1: an alert whose answer was lost is one alert with one text, however often it is sent")
  func lostAnswer() async throws {
    let app = try await makeApp()
    app.line = .deaf
    await queue(app, id, "Fell")
    #expect(app.clients.offlineClient.outbox().alert?.mayBeSent == true)
    #expect(try await alerts().count == 1)
    pass(3_600)
    #expect(await app.clients.offlineClient.sendAlerts().map(\.result) == [.waits])
    app.line = .up
    #expect(await app.clients.offlineClient.sendAlerts().map(\.result) == [.sent])
    #expect(try await alerts().map(\.message) == ["Fell"])
    #expect(files == [])
  }

  @Test("OFF-1: an alert first sent after five minutes says when it was raised, in whole")
  func lateNote() async throws {
    let app = try await makeApp()
    app.line = .down
    await queue(app, id, String(repeating: "a", count: 500))
    let raised = world.now
    pass(301)
    app.line = .deaf
    _ = await app.clients.offlineClient.sendAlerts()
    pass(3_600)
    app.line = .up
    _ = await app.clients.offlineClient.sendAlerts()
    let message = try #require(try await alerts().first?.message)
    let time = CivilCalendar.utc.describeForOthers(raised)
    #expect(
      message.hasSuffix("aaa\n(Raised \(time) on this device; it could only be sent later.)"))
    #expect(message.count == 500)
  }

  @Test("OFF-1: an alert stopped before it ever left is dropped, by every program of the device")
  func stopped() async throws {
    let app = try await makeApp()
    let second = try await makeApp(signedUp: false)
    app.line = .down
    await queue(app, id)
    try await app.clients.alertClient.disarm(id)
    #expect(app.clients.offlineClient.outbox() == Outbox())
    app.line = .up
    // A program that still shows its countdown.
    #expect(try await second.clients.alertClient.arm(id, "", .zero) == .stopped)
    #expect(await second.clients.offlineClient.sendAlerts() == [])
    #expect(try await alerts() == [])
    pass(90_000)
    _ = await second.clients.offlineClient.sendAlerts()
    #expect(files == [])
  }

  @Test("OFF-1: an alert that may have arrived is stopped once the server answers, or is on")
  func stoppedTooLate() async throws {
    let app = try await makeApp()
    app.line = .deaf
    await queue(app, id)
    app.line = .down
    await #expect(throws: ClientError.queued(at: machine.wall())) {
      try await app.clients.alertClient.disarm(id)
    }
    let waiting = try #require(app.clients.offlineClient.outbox().alerts.first)
    #expect(waiting.isStopped && app.clients.offlineClient.outbox().alert == nil)
    app.line = .up
    #expect(await app.clients.offlineClient.sendAlerts().map(\.result) == [.isOn])
    #expect(try await alerts().first?.isActive == true && files == [])
  }

  @Test("OFF-1: an attempt that fails after the stop doesn't write the alert again")
  func writtenAfterStop() async throws {
    let app = try await makeApp()
    app.line = .down
    await queue(app, id, "Fell")
    try await app.clients.alertClient.disarm(id)
    await #expect(throws: ClientError.self) {
      _ = try await app.clients.alertClient.spool(id, "Fell", .zero)
    }
    #expect(try await app.clients.alertClient.arm(id, "Fell", .zero) == .stopped)
    #expect(!files.contains { $0.hasPrefix("alert-") })
    app.line = .up
    for _ in 0..<3 {
      pass(50_000)
      _ = await app.clients.offlineClient.sendAlerts()
    }
    #expect(try await alerts() == [] && files == [])
  }

  @Test("OFF-1: after a stop in doubt, no program says that nobody was notified")
  func doubtfulStop() async throws {
    let app = try await makeApp()
    let second = try await makeApp(signedUp: false)
    app.line = .deaf
    await queue(app, id)
    second.line = .down
    await #expect(throws: ClientError.queued(at: machine.wall())) {
      try await second.clients.alertClient.disarm(id)
    }
    await #expect(throws: ClientError.queued(at: machine.wall())) {
      _ = try await app.clients.alertClient.arm(id, "", .zero)
    }
  }

  @Test("OFF-1: however often an answer is lost, one mark stays, and goes with the answer")
  func marks() async throws {
    let app = try await makeApp()
    app.line = .deaf
    for _ in 0..<5 { await queue(app, id) }
    #expect(files.count == 2 && files.count { $0.hasPrefix("tried-") } == 1)
    app.line = .up
    _ = await app.clients.offlineClient.sendAlerts()
    #expect(files == [])
  }

  @Test("ALT-2, OFF-1: cancelling the alert that is on stops those that wait on the device")
  func cancelled() async throws {
    let app = try await makeApp()
    _ = try await app.clients.alertClient.arm(id, "Fell", .zero)
    app.line = .down
    await queue(app, UUID(), "Can't walk")
    app.line = .up
    _ = try await app.clients.alertClient.cancel()
    #expect(app.clients.offlineClient.outbox().alert == nil)
    #expect(await app.clients.offlineClient.sendAlerts().isEmpty)
    #expect(try await alerts().filter(\.isActive) == [])
  }

  @Test("ALT-2, OFF-1: cancelling an alert doesn't stop one that is raised during the request")
  func begunDuringCancellation() async throws {
    let app = try await makeApp()
    _ = try await app.clients.alertClient.arm(id, "Fell", .zero)
    let second = try await makeApp(signedUp: false)
    second.line = .down
    let (clients, begun) = (second.clients, UUID())
    let other = Mutex<Task<Void, Never>?>(nil)
    app.onRequest = {
      other.withLock { other in
        other =
          other
          ?? Task {
            _ = try? await clients.alertClient.arm(begun, "Again", .zero)
          }
      }
    }
    app.onAnswer = { await other.withLock(\.self)?.value }
    _ = try await app.clients.alertClient.cancel()
    (app.onRequest, app.onAnswer) = (nil, nil)
    #expect(app.clients.offlineClient.outbox().alert?.id == begun)
  }

  @Test("OFF-1: a request that was given up while it was under way may have arrived")
  func givenUp() async throws {
    let app = try await makeApp()
    app.line = .abandoned
    await queue(app, id)
    #expect(app.clients.offlineClient.outbox().alert?.mayBeSent == true)
  }

  /// Another program's attempt, which ends while the stop is sent.
  private enum Attempt: CaseIterable { case fails, isAnswered, goesOn }

  @Test(
    "OFF-1: an alert stopped during an attempt is dropped only if that attempt surely didn't arrive",
    arguments: Attempt.allCases)
  private func stoppedDuringAttempt(_ attempt: Attempt) async throws {
    let app = try await makeApp()
    app.line = .down
    await queue(app, id)
    let mark = outbox + "/tried-\(id.uuidString.lowercased())-x.json"
    @Sendable func write(_ text: String) {
      FileManager.default.createFile(
        atPath: mark, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    }
    write(#"{"note":""}"#)
    #expect(app.clients.offlineClient.outbox().alert?.mayBeSent == true)
    app.onRequest = {
      switch attempt {
      case .fails: write(#"{"hasFailed":true,"note":""}"#)
      // The program that gets the server's answer removes what waits.
      case .isAnswered: try? FileManager.default.removeItem(atPath: mark)
      case .goesOn: break
      }
    }
    guard attempt == .fails else {
      await #expect(throws: ClientError.queued(at: machine.wall())) {
        try await app.clients.alertClient.disarm(id)
      }
      return
    }
    try await app.clients.alertClient.disarm(id)
    #expect(app.clients.offlineClient.outbox() == Outbox())
  }

  @Test("OFF-1: an alert stopped while the same program tries to send it is dropped")
  func stoppedWhileTrying() async throws {
    let app = try await makeApp()
    app.line = .down
    // The person stops it while the first attempt goes on.
    let clients = app.clients
    let stop = Mutex<Task<Void, any Error>?>(nil)
    app.onRequest = { [id] in
      stop.withLock { stop in
        stop = stop ?? Task { try await clients.alertClient.disarm(id) }
      }
    }
    _ = try? await clients.alertClient.arm(id, "", .zero)
    _ = try? await stop.withLock(\.self)?.value
    #expect(clients.offlineClient.outbox().alert == nil)
    app.onRequest = nil
    app.line = .up
    pass(2)
    for delivery in await clients.offlineClient.sendAlerts() {
      #expect(delivery.result == .stopped)
    }
    #expect(try await alerts() == [])
  }

  @Test("OFF-1: an alert is stopped safely just as an attempt to send it ends")
  func attemptEndsWhileRead() async throws {
    let outbox = OutboxFolder(path: outbox)
    let isOver = Mutex(false)
    async let attempts: Void = Task.detached { [id] in
      for _ in 0..<1_000 { outbox.fail(outbox.markAttempt(id, note: "a"), of: id) }
      isOver.withLock { $0 = true }
    }.value
    while !isOver.withLock(\.self) {
      #expect([nil, "a"].contains(outbox.noteOfAttempts(id)))
      await Task.yield()
    }
    await attempts
    #expect(outbox.noteOfAttempts(id) == nil)
  }

  @Test("ALT-7, OFF-1: a countdown that the server has begun can be stopped after a lost answer")
  func stoppedCountdown() async throws {
    let app = try await makeApp()
    app.line = .deaf
    await #expect(throws: ClientError.self) {
      _ = try await app.clients.alertClient.arm(id, "", .seconds(60))
    }
    app.line = .up
    try await app.clients.alertClient.disarm(id)
    #expect(try await alerts() == [] && files == [])
  }

  @Test("OFF-1: a program that starts shows the alert that waits, and none that another one sends")
  func shownAgain() async throws {
    let app = try await makeApp()
    app.line = .down
    await queue(app, id, "Fell")
    let second = try await makeApp(signedUp: false)
    second.line = .down
    var stream = second.clients.alertClient.observeArmed().makeAsyncIterator()
    let armed = try #require(try await stream.next() ?? nil)
    #expect(armed.id == id && armed.message == "Fell" && armed.isDue(at: world.now))
  }

  @Test("OFF-5: an alert waits for its own account, in whatever session that is")
  func laterSession() async throws {
    let app = try await makeApp()
    app.line = .down
    await queue(app, id, "Fell")
    app.line = .up
    // The session ends elsewhere.
    let other = world.app()
    _ = try await other.clients.authClient.signIn(
      Credentials(email: "ida@example.org", password: Secret("four random words")))
    _ = try await other.clients.authClient.revokeOtherSessions()
    #expect(await app.clients.offlineClient.sendAlerts().map(\.result) == [.waits])
    // Somebody else signs in on the device, and must not call for Ida's help.
    token.value = nil
    let bo = try await makeApp(signedUp: false)
    try await bo.signUp("Bo")
    #expect(await bo.clients.offlineClient.sendAlerts() == [])
    #expect(bo.clients.offlineClient.outbox() == Outbox() && files.count == 1)
    token.value = other.token
    let ida = try await makeApp(signedUp: false)
    _ = try await ida.clients.userClient.currentUser()
    #expect(await ida.clients.offlineClient.sendAlerts().map(\.result) == [.sent])
    #expect(try await alerts().map(\.id) == [id])
  }

  @Test("ALT-7, OFF-1: two calls for help offline become one alert with both texts")
  func twice() async throws {
    let app = try await makeApp()
    app.line = .down
    for text in ["Fell", "Can't walk"] {
      await queue(app, UUID(), text)
      pass(1)
    }
    #expect(app.clients.offlineClient.outbox().alerts.count == 2)
    app.line = .up
    #expect(await app.clients.offlineClient.sendAlerts().map(\.result) == [.sent, .sent])
    #expect(try await alerts().map(\.message) == ["Fell\nCan't walk"])
  }

  @Test("CHK-6, OFF-1: a check-in made offline after an alert is sent after it and doesn't end it")
  func checkIn() async throws {
    let app = try await makeApp()
    pass(3_600)
    app.line = .down
    await queue(app, id, "Fell")
    pass(60)
    await #expect(throws: ClientError.queued(at: machine.wall())) {
      _ = try await app.clients.checkInClient.checkIn(.manual)
    }
    app.line = .up
    _ = await app.clients.offlineClient.sendAlerts()
    #expect(await app.clients.offlineClient.sync().map(\.isReceived) == [true])
    #expect(try await alerts().map(\.isActive) == [true])
  }

  @Test("ALT-2, OFF-1: a late call for help is raised although another one was cancelled since")
  func cancelledElsewhere() async throws {
    let app = try await makeApp()
    app.line = .down
    await queue(app, id, "Fell")
    pass(7_200)
    let other = world.app(token: token.value)
    _ = try await other.clients.alertClient.raise("Lost")
    _ = try await other.clients.alertClient.cancel()
    app.line = .up
    #expect(await app.clients.offlineClient.sendAlerts().map(\.result) == [.sent])
    let present = try await alerts()
    #expect(present.first { $0.id == id }?.isActive == true && present.count == 2)
  }

  @Test(
    "ESC-5, OFF-1: an alert is raised whatever the wall clock says when it is sent",
    arguments: [-34_560_000.0, -3_600, 72_000, 34_560_000], [false, true])
  func wrongClock(jump: Double, restarts: Bool) async throws {
    let app = try await makeApp()
    app.line = .down
    await queue(app, id)
    if restarts { machine.restart(after: 60) } else { machine.advance(60) }
    world.now += 60
    machine.jump(jump)
    let second = try await makeApp(signedUp: false)
    #expect(await second.clients.offlineClient.sendAlerts().map(\.result) == [.sent])
    let alert = try #require(try await alerts().first)
    #expect(alert.id == id && alert.isActive && alert.raisedAt <= world.now)
    if !restarts { #expect(alert.raisedAt == world.now - 60) }
  }

  @Test("OFF-1: an alert that no folder takes is sent all the same")
  func noFolder() async throws {
    let app = try await makeApp()
    try Data().write(to: URL(fileURLWithPath: outbox))
    guard case .raised = try await app.clients.alertClient.arm(id, "Fell", .zero) else {
      Issue.record("it is on")
      return
    }
    app.line = .down
    await queue(app, UUID(), "Again")
    await #expect(throws: ClientError.self) {
      _ = try await app.clients.alertClient.spool(UUID(), "Again", .zero)
    }
    #expect(app.clients.offlineClient.outbox() == Outbox())
  }
}
