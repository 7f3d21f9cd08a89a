import Clients
import Composable
import ComposableFoundation
import Domain
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import CommandLine

/// `lifesignal sync`, and what other commands say of check-ins that wait (OFF-1 … OFF-5).
struct SyncCommandTests {
  let world = World()
  private let outbox: Box<Outbox>
  private let dismissed = Box<[UUID]>([])
  private let starts = Box(0)
  private let made = World.start - .hours(1)

  private final class Box<Value: Sendable>: Sendable {
    private let held: Mutex<Value>
    init(_ value: Value) { held = Mutex(value) }
    var value: Value {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }
  }

  init() {
    outbox = Box(Outbox())
    // An account on a server that doesn't answer.
    world[\.overrides] = { [outbox, dismissed, starts, made] values in
      values.accountHost = .server(name: "family.example")
      values.checkInClient.checkIn = { (_) async throws(ClientError) in throw .queued(at: made) }
      values.offlineClient = OfflineClient {
        $0.outbox = { outbox.value }
        $0.dismiss = { id in
          dismissed.value.append(id)
          outbox.value.checkIns.removeAll { $0.id == id }
        }
        $0.startSync = { starts.value += 1 }
      }
    }
  }

  private func waiting(_ number: UInt64 = 1) -> Outbox.CheckIn {
    Outbox.CheckIn(id: UUID(number), madeAt: made)
  }

  private func refused(_ number: UInt64 = 2) -> Outbox.CheckIn {
    Outbox.CheckIn(
      id: UUID(number), madeAt: made, refusal: ClientError.gate(.required).text)
  }

  /// The person as the server sees them after a check-in.
  private func user(lastCheckIn: Date) -> User {
    User(
      id: UUID(9), profile: Profile(name: "Ada"), lastCheckIn: lastCheckIn, createdAt: World.start)
  }

  private func deliver(_ delivery: OfflineClient.Delivery) {
    let overrides = world[\.overrides]
    world[\.overrides] = { [outbox] values in
      overrides(&values)
      values.offlineClient.sync = {
        outbox.value = Outbox()
        return [delivery]
      }
    }
  }

  @Test("CHK-2, OFF-2: check-in offline exits with 75 and says NOT received, never that it counts")
  func checkIn() async {
    await world.openAccount()
    let outcome = await world.run("check-in")
    #expect(outcome.exitCode == 75 && outcome.output.isEmpty)
    #expect(
      outcome.errorOutput
        == "lifesignal: Saved at 06:52 on this computer, NOT received yet: family.example hasn't answered."
        + " It is sent in the background; after a restart of this computer only when you use lifesignal again.\n"
    )
  }

  @Test("OFF-2: check-in first shows each check-in that was refused, once")
  func refusedBefore() async {
    await world.openAccount()
    outbox.value.checkIns = [refused()]
    let first = await world.run("check-in").errorOutput
    #expect(first.contains("Your check-in of today 06:52 was NOT received:"))
    #expect(dismissed.value == [UUID(2)])
    #expect(await world.run("check-in").errorOutput.contains("was NOT received") == false)
  }

  @Test("OFF-5: sync exits with 0 if nothing waits, 75 if something does, 1 if one was refused")
  func codes() async {
    await world.openAccount()
    await world.expect("sync", .init(0, "Nothing waits.\n"))
    outbox.value.checkIns = [waiting()]
    await world.expect(
      "sync",
      .init(
        75, error: "lifesignal: NOT received yet: your check-in of today 06:52 on this device.\n"))
    outbox.value.checkIns = [waiting(), refused()]
    let outcome = await world.run("sync")
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorOutput.contains("NOT received yet: your check-in of today 06:52"))
    #expect(outcome.errorOutput.contains("was NOT received: ") && dismissed.value == [UUID(2)])
  }

  @Test(
    "OFF-3: sync says whether a check-in counts from when it was made, from earlier, or not at all",
    arguments: [
      (0.0, "Received: your check-in of today 06:52 counts.\n"),
      (
        -3_600,
        "Received: your check-in of today 06:52 counts from today 05:52, because it isn't known when exactly"
          + " it was made. Check in again.\n"
      ),
      (3_600, "Received: your check-in of today 06:52; a later check-in counts already.\n"),
    ] as [(Double, String)])
  func received(ahead: Double, text: String) async {
    await world.openAccount()
    deliver(.init(checkIn: waiting(), user: user(lastCheckIn: made + ahead), isReceived: true))
    await world.expect("sync", .init(0, text))
  }

  @Test("OFF-3: a check-in that another program dropped isn't taken for received by --plain")
  func droppedElsewhere() async {
    await world.openAccount()
    outbox.value.checkIns = [Outbox.CheckIn(id: UUID(1), madeAt: World.start + .minutes(30))]
    let before = world[\.overrides]
    world[\.overrides] = { [outbox] values in
      before(&values)
      values.offlineClient.sendAlerts = { [] }
      values.offlineClient.sync = {
        outbox.value.checkIns = []
        return []
      }
    }
    world[\.lines] = Array(repeating: .nothing, count: 3) + [.line("quit")]
    let said = await world.run("--plain").output
    #expect(said.contains("counts from today 07:52"), "\(said)")
    #expect(said.contains("Check in again."))
  }

  @Test("OFF-2: status begins with what waits; its JSON counts it and keeps the server's deadline")
  func status() async {
    await world.openAccount()
    let before = await world.run("status --json").output
    #expect(
      before.hasSuffix(
        #""offline_since":null,"queued":{"check_ins":0,"since":null,"alert":null,"refused":0},"schedule":null,"outing":null}"#
          + "\n"))
    outbox.value.checkIns = [waiting(), waiting(3), refused()]
    let status = await world.run("status")
    #expect(
      status.output.hasPrefix("NOT received yet: your check-in of today 06:52 on this device.\n"))
    #expect(status.errorOutput.contains("was NOT received: "))
    let json = await world.run("status --json").output
    #expect(
      json.hasSuffix(
        #""queued":{"check_ins":2,"since":"2026-11-21T06:52:00Z","alert":null,"refused":1},"schedule":null,"outing":null}"#
          + "\n"
      ))
    #expect(json.contains(#""last_check_in":"2026-11-21T07:52:00Z""#))
  }

  @Test(
    "OFF-5: a command that leaves something waiting starts a background sync; sync itself doesn't")
  func starting() async {
    await world.openAccount()
    _ = await world.run("status")
    #expect(starts.value == 0)
    outbox.value.checkIns = [waiting()]
    _ = await world.run("status")
    #expect(starts.value == 1)
    _ = await world.run("sync")
    #expect(starts.value == 1)
    outbox.value.checkIns = [refused()]
    _ = await world.run("status")
    #expect(starts.value == 1)
  }

  private func waitingAlert(mayBeSent: Bool = false, isStopped: Bool = false) -> Outbox.Alert {
    Outbox.Alert(id: UUID(5), raisedAt: made, mayBeSent: mayBeSent, isStopped: isStopped)
  }

  @Test(
    "OFF-1, ALT-3: alert on says whether it is certain that a server without an answer hasn't got it",
    arguments: [
      (false, "saved and NOT sent yet"), (true, "saved and may or may not be sent yet"),
    ])
  func alertOn(mayBeSent: Bool, news: String) async {
    await world.openAccount()
    let overrides = world[\.overrides]
    let error = ClientError.storage(.network(mayBeSent ? .unanswered : .connectionFailed))
    world[\.overrides] = { [world, outbox, alert = waitingAlert(mayBeSent: mayBeSent)] values in
      overrides(&values)
      values.withRandomNumberGenerator = WithRandomNumberGenerator(SplitMix64(seed: 1))
      values.alertClient.arm = { (_, _, _) async throws(ClientError) in
        outbox.value.alerts = [alert]
        world.advance(by: .seconds(6))
        throw error
      }
    }
    let outcome = await world.run("alert on fell")
    #expect(outcome.exitCode == 75)
    #expect(outcome.errorOutput.contains("The alert is \(news): "), "\(outcome.errorOutput)")
    #expect(outcome.errorOutput.contains("Call your responders, or "))
    #expect(outcome.errorOutput.contains("as soon as family.example answers"))
    let status = await world.run("status")
    #expect(
      status.output.hasPrefix(
        (mayBeSent ? "Perhaps NOT SENT yet: " : "NOT SENT yet: ")
          + "your alert of today 06:52 on this device.\n"))
    #expect(
      await world.run("status --json").output.contains(#""alert":"2026-11-21T06:52:00Z","refused""#)
    )
    #expect(starts.value > 0)
  }

  @Test(
    "OFF-1: alert off stops an alert that waits, or says that it may have been sent",
    arguments: [
      (nil, .init(0, "Stopped. Nobody was notified.\n")),
      (
        ClientError.queued(at: World.start),
        .init(75, error: "lifesignal: \(ArmedAlert.maybeSentText)\n")
      ),
    ] as [(ClientError?, World.Outcome)])
  func alertOff(error: ClientError?, outcome: World.Outcome) async {
    await world.openAccount()
    outbox.value.alerts = [waitingAlert()]
    let overrides = world[\.overrides]
    world[\.overrides] = { [outbox] values in
      overrides(&values)
      values.alertClient.disarm = { (_) async throws(ClientError) in
        outbox.value.alerts = []
        if let error { throw error }
      }
    }
    await world.expect("alert off", outcome)
  }

  @Test("ALT-2, OFF-1: alert off stops every alert that waits, and cancels the one that is on")
  func alertOffAll() async {
    await world.openAccount()
    outbox.value.alerts = [
      waitingAlert(), Outbox.Alert(id: UUID(6), raisedAt: made),
      Outbox.Alert(id: UUID(7), raisedAt: made),
    ]
    let stopped = Box<[UUID]>([])
    let overrides = world[\.overrides]
    world[\.overrides] = { values in
      overrides(&values)
      values.alertClient.disarm = { (id) async throws(ClientError) in
        stopped.value.append(id)
        if id == UUID(5) { throw .alertAlreadyOn }
      }
      values.alertClient.cancel = { () async throws(ClientError) in throw .alertNotActive }
    }
    let outcome = await world.run("alert off")
    #expect(stopped.value == [UUID(5), UUID(6), UUID(7)])
    // It was asked to cancel the one that is on.
    #expect(outcome.exitCode == 1)
  }

  @Test("ALT-2: alert off without a server says that the alert is still on, and keeps nothing")
  func alertOffOffline() async {
    await world.openAccount()
    let overrides = world[\.overrides]
    world[\.overrides] = { values in
      overrides(&values)
      values.alertClient.cancel = { () async throws(ClientError) in
        throw .storage(.network(.connectionFailed))
      }
    }
    let outcome = await world.run("alert off")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.errorOutput.hasPrefix(
        "lifesignal: The alert is still on, because cancelling needs the server: "))
  }

  @Test(
    "OFF-1: sync says of each alert that waited whether it was sent, stopped, or is on",
    arguments: [
      (
        .sent, "Sent: your alert of today 06:52. It is on. lifesignal alert off cancels it.\n"
      ),
      (.stopped, "Stopped: your alert of today 06:52. Nobody was notified.\n"),
      (
        .isOn,
        "It was sent before you stopped it: your alert of today 06:52. It is on. lifesignal alert off"
          + " cancels it.\n"
      ),
    ] as [(OfflineClient.AlertDelivery.Result, String)])
  func alertSync(result: OfflineClient.AlertDelivery.Result, text: String) async {
    await world.openAccount()
    outbox.value.alerts = [waitingAlert()]
    await world.expect(
      "sync",
      .init(75, error: "lifesignal: NOT SENT yet: your alert of today 06:52 on this device.\n"))
    let overrides = world[\.overrides]
    world[\.overrides] = { [outbox, alert = waitingAlert()] values in
      overrides(&values)
      values.offlineClient.sendAlerts = {
        outbox.value = Outbox()
        return [.init(alert: alert, result: result)]
      }
    }
    await world.expect("sync", .init(0, text))
  }
}
