import Clients
import Composable
import Domain
import FoundationEssentials
import TestSupport
import Testing

/// All platforms give the same results for random operations.
@Suite("Equivalence of platforms", .timeLimit(.minutes(1)))
struct EquivalenceTests {
  @Test(
    "The same random operations give the same results on all platforms",
    arguments: 1...repetitions(8, nightly: 60))
  func randomOperations(_ seed: Int) async throws {
    var numbers = SplitMix64(seed: UInt64(seed))
    var operations: [Operation] = []
    for _ in 0..<120 { operations.append(.random(using: &numbers)) }
    var logs: [[String]] = []
    // A server answers no requests before there is an account, and it is slow, so test it with
    // fewer seeds.
    let hasAccount = seed.isMultiple(of: 4)
    for platform in hasAccount ? Platform.everywhere : Platform.all(but: .beforeAccount) {
      let run = Run(world: try World(platform))
      if hasAccount { _ = try await run.perform(.create) }
      var log: [String] = []
      for (index, operation) in operations.enumerated() {
        let shows = index.isMultiple(of: 4) || index == operations.count - 1
        log.append("\(operation): \(try await run.perform(operation, showsState: shows))")
      }
      logs.append(log)
    }
    for log in logs.dropFirst() {
      for (memory, other) in zip(logs[0], log) { try #require(memory == other) }
    }
  }
}

/// An operation of an app or a monitor.
private enum Operation {
  case create, checkIn, interval(Int), profile(Int), raise, cancel
  case add(Int), update(Int, Int), delete(Int), ownChannel(Int), mute(Int, Topic, Bool)
  case plan, claim(Int), record(Int, Int), advance(Int), heartbeat(Int), resign(Int)

  static func random(using numbers: inout SplitMix64) -> Operation {
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &numbers) }
    switch number(25) {
    case 0: return .create
    case 1, 2: return .checkIn
    case 3: return .interval(number(4))
    case 4: return .profile(number(3))
    case 5, 6: return .raise
    case 7: return .cancel
    case 8, 9: return .add(number(4))
    case 10: return .update(number(4), number(4))
    case 11: return .delete(number(4))
    case 12, 13, 14: return .plan
    case 15, 16: return .claim(number(3))
    case 17, 18: return .record(number(3), number(5))
    case 19: return .heartbeat(number(2))
    case 20: return .resign(number(2))
    case 21: return .ownChannel(number(3))
    case 22, 23: return .mute(number(3), Topic.allCases[number(2)], number(3) > 0)
    default: return .advance(number(6))
    }
  }
}

/// Performs operations on one platform and logs them without identifiers, which differ.
private final class Run {
  private let world: World
  private let monitors = [UUID(), UUID()]
  private var drafts = 0
  private var claimed: [ClaimedDelivery] = []

  init(world: World) { self.world = world }

  func perform(_ operation: Operation, showsState: Bool = false) async throws -> String {
    var result = "done"
    do { try await attempt(operation) } catch { result = "\(error)" }
    // A difference stays, so not every operation needs a look at everything.
    return showsState ? result + " → " + (try await state()) : result
  }

  private func attempt(_ operation: Operation) async throws {
    switch operation {
    case .create: try await world.openAccount(responders: [.bo])
    case .checkIn: _ = try await world.checkIn.checkIn(.manual)
    case .interval(let choice):
      _ = try await world.checkIn.updateInterval(CheckInInterval.presets[choice])
    case .profile(let choice):
      let email = ["ida@example.org", nil, "x@example.org"][choice]
      _ = try await world.user.updateProfile(Profile(name: "Ida", email: email))
    case .raise: _ = try await world.alerts.raise("help")
    case .cancel: _ = try await world.alerts.cancel()
    case .add(let person): _ = try await world.contacts.add(draft(person))
    case .update(let contact, let person):
      if let id = try await contact.id(in: world) {
        let read = try await world.contacts.contacts().first { $0.id == id }
        _ = try await world.contacts.update(read!, draft(person))
      }
    case .delete(let contact):
      if let id = try await contact.id(in: world) { try await world.contacts.delete(id) }
    case .ownChannel(let choice):
      let drafts = [ChannelDraft(.desktop, ""), ChannelDraft(.email, "x@example.org")]
      if drafts.indices.contains(choice) {
        _ = try await world.channels.add(drafts[choice], nil)
      } else if let last = try await world.channels.overview().own.last {
        try await world.channels.remove(last.id)
      }
    case .mute(let index, let topic, let isMuted):
      let own = try await world.channels.overview().own
      if own.indices.contains(index) {
        try await world.channels.setMuted(topic, own[index].id, isMuted)
      }
    case .plan:
      for account in try await world.monitor.due(world.now, 5) {
        _ = try await world.monitor.apply(
          plan(account), account.user.id, account.revision, world.now)
      }
    case .claim(let limit):
      claimed += try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: limit))
    case .record(let index, let kind):
      guard claimed.indices.contains(index) else { return }
      let delivery = claimed.remove(at: index)
      let (outcome, retry): (DeliveryOutcome, Bool) = [
        (.sent, false), (.permanent(reason: "550"), false),
        (.retry(reason: "451", after: nil), true),
        (.ambiguous(reason: "cut"), true), (.retry(reason: "gave up", after: nil), false),
      ][kind]
      _ = try await world.monitor.record(
        delivery.id, delivery.token, outcome, retry ? world.now + .minutes(1) : nil, world.now)
    case .advance(let choice):
      world.advance(
        [.seconds(30), .minutes(2), .hours(3), .hours(30), .seconds(61), .hours(-1)][choice])
    case .heartbeat(let index):
      _ = try await world.monitor.heartbeat(
        monitors[index], world.now, .minutes(5),
        index == 0 ? MonitorProblem("no mail", kinds: [.email]) : nil)
    case .resign(let index): try await world.monitor.resign(monitors[index])
    }
  }

  /// A draft with a unique name, since contacts with equal names are ordered by identifier.
  private func draft(_ person: Int) -> ContactDraft {
    drafts += 1
    var draft: ContactDraft = [
      .bo, .cem, ContactDraft(name: "Erik", roles: .dependent),
      ContactDraft(name: "Bobo", email: "BO@example.org", roles: [.responder, .dependent]),
    ][person]
    draft.name +=
      " " + String(decoding: [UInt8(65 + drafts / 26), UInt8(65 + drafts % 26)], as: UTF8.self)
    return draft
  }

  /// A simple planner that produces every kind of step, not always sensible ones.
  private func plan(_ account: MonitoredAccount) -> Plan {
    var plan = Plan(nextPlanning: world.now + .hours(1))
    let sequence = account.user.checkInSequence
    var alerts = account.alerts
    if world.now >= account.user.deadline.graceEnd,
      !alerts.contains(where: { $0.sequence == sequence })
    {
      let missed = Alert(id: UUID(), kind: .missed, raisedAt: world.now, sequence: sequence)
      plan.missedAlert = missed
      alerts.append(missed)
    }
    for alert in alerts where alert.isActive {
      plan.deliveries += account.responders.map { .alertOn(alert, to: $0) }
    }
    for channel in account.ownChannels(for: .reminder(.minutes(30))) {
      var reminder = PlannedDelivery.reminder(.minutes(30), of: account.user)
      (reminder.channel, reminder.address) = (channel.kind, channel.address)
      plan.deliveries.append(reminder)
    }
    for delivery in account.deliveries where delivery.state == .pending {
      if case .alert(let id) = delivery.occasion,
        alerts.contains(where: { $0.id == id && $0.isActive })
      {
        continue
      }
      plan.cancelled.append(delivery.id)
    }
    for alert in alerts where !alert.isActive { plan.settled.append(alert.id) }
    return plan
  }

  private func state() async throws -> String {
    var lines: [String] = []
    if let user = try? await world.user.currentUser() {
      lines.append("\(user.profile) \(user.interval) \(user.reminders) \(user.checkInSequence)")
      lines.append("\(user.lastCheckIn)")
      for checkIn in try await world.checkIn.history(5) {
        lines.append("\(checkIn.date) \(checkIn.sequence) \(String(describing: checkIn.margin))")
      }
      let contacts = try await world.contacts.contacts()
      let overview = try await world.contacts.overview(naming: 2)
      #expect(overview == ContactOverview(contacts, naming: 2))
      for contact in contacts {
        lines.append("\(contact.name) \(contact.roles.rawValue) \(contact.email ?? "–")")
      }
      let channels = try await world.channels.overview()
      for channel in channels.own {
        lines.append("\(channel.spelling) \(channels.muted[channel.id].map(\.rawValue).sorted())")
      }
      for report in try await world.alerts.history(3) {
        lines.append("\(report.alert.kind) \(String(describing: report.alert.resolvedAt))")
        for delivery in report.deliveries.sorted(by: { $0.recipient < $1.recipient }) {
          lines.append(
            "\(delivery.stage) \(delivery.recipient) \(delivery.state) \(delivery.date) "
              + (delivery.error ?? ""))
        }
      }
    }
    // With a date far ahead, every account is due.
    for account in try await world.monitor.due(world.now + .days(400), 5) {
      lines.append("revision \(account.revision) responders \(account.responders.map(\.name))")
      lines.append("alerts \(account.alerts.map(\.kind))")
      for delivery in account.deliveries {
        lines.append(
          "\(delivery.stage) \(delivery.state) \(delivery.attempts) \(delivery.mayHaveArrived) "
            + String(describing: delivery.leasedUntil))
      }
    }
    lines.append("\(try await world.watch.status())")
    lines.append("wake \(String(describing: try await world.monitor.nextWake().map(wake)))")
    return lines.joined(separator: "\n")
  }

  /// A wake-up time, with all past times shown as `now`.
  private func wake(_ date: Date) -> String { date <= world.now ? "now" : "\(date)" }
}

extension Int {
  fileprivate func id(in world: World) async throws -> Contact.ID? {
    let contacts = try await world.contacts.contacts()
    return contacts.isEmpty ? nil : contacts[self % contacts.count].id
  }
}
