import Composable
import ComposableFoundation
import Domain
import FoundationEssentials
import Monitor
import Testing

/// Random histories of an account, planned by a monitor that may be killed while it sends.
@Suite struct PlannerPropertyTests {
  @Test(
    "In random histories nothing is planned twice, and an alert's end goes to all notified",
    arguments: UInt64(0)..<100)
  func life(seed: UInt64) {
    var life = Life(seed: seed)
    for _ in 0..<120 {
      life.step()
      life.check()
    }
    life.finish()
  }
}

/// An account, a store reduced to what the planner sees, and the messages that arrived.
private struct Life {
  private var random: SplitMix64
  private var now = start
  private var user: User
  private var responders: [Contact] = []
  private var alerts: [Alert] = []
  private var settled: Set<UUID> = []
  private var records: [DeliveryRecord] = []
  private var shownStages: (sequence: Int, stages: Set<Stage>) = (1, [])
  private var lastID: UInt64 = 1_000
  /// The messages that a server accepted, in order.
  private var arrivals: [(record: DeliveryRecord, alertWasActive: Bool)] = []
  private var nextPlanning: Date? = start
  private var watchedSince = start

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    user = .ada(sequence: 1)
    responders = [.bob]
  }

  private var account: MonitoredAccount {
    MonitoredAccount(
      user: user, revision: 0, responders: responders,
      alerts: alerts.filter { !settled.contains($0.id) },
      deliveries: records.filter { record in
        switch record.occasion {
        case .deadline(let sequence):
          sequence == user.checkInSequence || record.state == .pending
        case .alert(let id): !settled.contains(id)
        case .account: true
        }
      }, shownStages: shownStages.sequence == user.checkInSequence ? shownStages.stages : [],
      watchedSince: watchedSince)
  }

  private mutating func newID() -> UUID {
    lastID += 1
    return UUID(lastID)
  }

  // MARK: Events

  mutating func step() {
    switch Int.random(in: 0..<18, using: &random) {
    case 0: checkIn()
    case 1: raise()
    case 2: cancel()
    case 3: toggleResponder()
    case 4: now = now + .minutes(Int.random(in: 1...200, using: &random))
    case 5: now = max(now, nextPlanning ?? now)
    case 6: now = user.deadline.graceEnd > now ? user.deadline.graceEnd : now
    case 7, 8: deliver(ending: .random(using: &random))
    case 9:
      user.interval = [.standard, CheckInInterval.presets[0]].randomElement(using: &random)!
      user.beginSequence()
    case 10: raise(.drill)
    case 11: cancel(.drill)
    case 12: acknowledge()
    case 13:
      now = now + .minutes(Int.random(in: 3...2_000, using: &random))
      watchedSince = now
    case 14:
      user.repeatInterval = [.minutes(10), .hours(1), .hours(6)].randomElement(using: &random)!
    case 15: now = now + user.repeatInterval
    default: break
    }
    if Int.random(in: 0..<3, using: &random) > 0 { monitor() }
  }

  private mutating func checkIn() {
    user.lastCheckIn = now
    user.beginSequence()
    for index in alerts.indices where alerts[index].kind == .missed && alerts[index].isActive {
      alerts[index].resolvedAt = now
    }
  }

  private mutating func raise(_ kind: Alert.Kind = .manual) {
    guard !alerts.contains(where: { $0.kind == kind && $0.isActive }) else { return }
    alerts.append(Alert(id: newID(), kind: kind, raisedAt: now))
  }

  private mutating func acknowledge() {
    guard let responder = responders.randomElement(using: &random) else { return }
    let word = Acknowledgement(responder: responder.id, name: responder.name, date: now)
    for index in alerts.indices
    where alerts[index].isActive && alerts[index].kind != .drill
      && !alerts[index].acknowledgements.contains(where: { $0.responder == responder.id })
    {
      alerts[index].acknowledgements.append(word)
    }
  }

  private mutating func cancel(_ kind: Alert.Kind = .manual) {
    for index in alerts.indices where alerts[index].kind == kind && alerts[index].isActive {
      alerts[index].resolvedAt = now
    }
  }

  private mutating func toggleResponder() {
    let contact = [Contact.bob, .cyd].randomElement(using: &random)!
    if let index = responders.firstIndex(where: { $0.id == contact.id }) {
      responders.remove(at: index)
    } else {
      responders.append(contact)
    }
  }

  // MARK: Monitor

  private mutating func monitor() {
    let plan = Planner.plan(account, now: now, makeID: { UUID(lastID + 1) })
    lastID += 1
    apply(plan)
    nextPlanning = plan.nextPlanning
    #expect(plan.nextPlanning.map { $0 > now } ?? true, "a look in the past would never sleep")
    let again = Planner.plan(account, now: now, makeID: { UUID() })
    #expect(again.missedAlert == nil)
    #expect(again.graceFrom == nil, "ESC-4: at most once")
    #expect(again.stagesToShow.isEmpty, "NOT-1: told once")
    #expect(again.endedDrills.isEmpty)
    #expect(again.deliveries.isEmpty, "ESC-3: planning twice is planning once")
    #expect(again.cancelled.isEmpty)
    #expect(again.settled.isEmpty)
  }

  private mutating func apply(_ plan: Plan) {
    if let start = plan.graceFrom {
      #expect(start == now && user.graceFrom == nil && watchedSince > user.deadline.date)
      user.graceFrom = start
    }
    if let alert = plan.missedAlert {
      #expect(now >= user.deadline.graceEnd, "ESC-1, ESC-4: never before the grace time is over")
      #expect(!alerts.contains { $0.kind == .missed && $0.sequence == alert.sequence })
      #expect(!alerts.contains { $0.kind == .missed && $0.isActive }, "one at a time")
      alerts.append(alert)
    }
    for id in plan.cancelled {
      let index = records.firstIndex { $0.id == id }!
      #expect(records[index].state == .pending)
      #expect(records[index].leasedUntil.map { $0 <= now } ?? true)
      records[index].state = .cancelled
      records[index].finishedAt = now
    }
    if shownStages.sequence != user.checkInSequence { shownStages = (user.checkInSequence, []) }
    for stage in plan.stagesToShow { #expect(shownStages.stages.insert(stage).inserted) }
    for id in plan.endedDrills {
      let index = alerts.firstIndex { $0.id == id }!
      #expect(alerts[index].kind == .drill && alerts[index].isActive)
      alerts[index].resolvedAt = now
    }
    for planned in plan.deliveries { enqueue(planned) }
    settled.formUnion(plan.settled)
  }

  private mutating func enqueue(_ planned: PlannedDelivery) {
    if planned.stage == .allClear || planned.stage == .alertOff {
      let told = records.first { $0.messageID == planned.inReplyTo }
      #expect(told?.mayHaveArrived == true, "an all-clear answers what may have arrived")
      #expect(told?.address == planned.address)
    }
    if planned.stage.isRepeat { checkRepeat(planned) }
    let record = DeliveryRecord(lastID + 1, planned)
    lastID += 1
    let index = records.firstIndex { known in
      known.occasion == record.occasion && known.stage == record.stage
        && known.recipient == record.recipient && known.address == record.address
    }
    guard let index else { return records.append(record) }
    #expect(records[index].state == .cancelled, "ESC-3: nothing is planned twice")
    records[index].state = .pending
    records[index].finishedAt = nil
  }

  /// Checks the rules for every repetition (ESC-2).
  private func checkRepeat(_ planned: PlannedDelivery) {
    let alert = alerts.first { planned.occasion == .alert($0.id) }!
    #expect(alert.isActive && alert.kind != .drill && alert.acknowledgements.isEmpty)
    #expect(now < alert.raisedAt + .hours(48))
    let earlier = records.filter {
      $0.occasion == planned.occasion && $0.recipient == planned.recipient && $0.stage.isCall
        && $0.state != .cancelled
    }
    #expect(planned.inReplyTo == earlier.first?.messageID, "it answers the first")
    #expect(!earlier.contains { $0.state == .pending }, "one word at a time")
    #expect(earlier.map(\.stage.repetition).max()! < planned.stage.repetition)
    let count = Int(now.timeIntervalSince(alert.raisedAt)) / user.repeatInterval.seconds
    let due = alert.raisedAt + .seconds(count * user.repeatInterval.seconds)
    #expect(earlier.compactMap(\.finishedAt).max()! < due, "one for each instant")
  }

  private enum Ending: CaseIterable {
    case accepted, refused, failed, killedBefore, killedAfter, underWay

    static func random(using random: inout SplitMix64) -> Ending {
      allCases.randomElement(using: &random)!
    }
  }

  private func isOfDrill(_ record: DeliveryRecord) -> Bool {
    alerts.contains { record.occasion == .alert($0.id) && $0.kind == .drill }
  }

  /// Plans, then claims one delivery as the store would, and sends it.
  private mutating func deliver(ending: Ending) {
    monitor()
    let index = records.firstIndex { record in
      record.state == .pending && (record.leasedUntil ?? now) <= now
    }
    guard let index else { return }
    let isMeant = alerts.contains { $0.isActive && $0.kind != .drill }
    #expect(!isMeant || !isOfDrill(records[index]), "ALT-8: no drill speaks over an alert")
    records[index].attempts += 1
    let wasUnrecorded = !records[index].lastAttemptIsRecorded
    records[index].lastAttemptIsRecorded = false
    records[index].leasedUntil = now + .seconds(60)
    if ending == .accepted || ending == .killedAfter {
      let isActive = alerts.contains { alert in
        records[index].occasion == .alert(alert.id) && alert.isActive
      }
      arrivals.append((records[index], isActive))
    }
    func record(_ state: DeliveryState) {
      records[index].state = state
      records[index].lastAttemptIsRecorded = !wasUnrecorded || state == .sent
      records[index].leasedUntil = nil
      records[index].finishedAt = state == .pending ? nil : now
    }
    switch ending {
    case .accepted: record(.sent)
    case .refused: record(.pending)
    case .failed: record(.failed)
    case .killedBefore, .killedAfter, .underWay: break
    }
  }

  // MARK: Rules

  func check() {
    let isTrue = arrivals.allSatisfy { !$0.record.stage.isCall || $0.alertWasActive }
    #expect(isTrue, "nobody is alarmed after the end of an alert")
  }

  /// Lets a healthy monitor do all that is due, then checks what each responder was sent.
  mutating func finish() {
    checkIn()
    cancel()
    for _ in 0..<200 {
      now = now + .seconds(61)
      monitor()
      deliver(ending: .accepted)
    }
    #expect(!records.contains { $0.state == .pending }, "nothing is forgotten")
    #expect(alerts.allSatisfy { settled.contains($0.id) })
    for record in records where record.stage.isCall {
      guard record.mayHaveArrived else { continue }
      let answers = arrivals.filter { arrival in
        arrival.record.occasion == record.occasion && arrival.record.address == record.address
          && (arrival.record.stage == .allClear || arrival.record.stage == .alertOff)
      }
      let isFailed = records.contains { other in
        other.occasion == record.occasion && other.address == record.address
          && other.stage.isEnd && other.state == .failed
      }
      let isDrill = isOfDrill(record)
      #expect(
        answers.count >= (isFailed || isDrill ? 0 : 1),
        "CHK-6: everyone who was notified hears the end")
      #expect(Set(answers.map(\.record.id)).count <= 1, "and as one message")
    }
  }
}
