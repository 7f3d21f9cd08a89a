import Composable
import ComposableFoundation
import Domain
import FoundationEssentials
import Monitor
import Testing

/// CHN-3: topics that the person has muted on a channel aren't sent there.
@Suite struct PlannerTopicTests {
  private let deadline = start + .hours(24)
  private static let desktop = Channel(
    id: UUID(70), kind: .desktop, address: Channel.desktopAddress)

  private func account(
    _ muted: [(Topic, Channel.ID)], _ deliveries: [DeliveryRecord] = [], alerts: [Alert] = []
  ) -> MonitoredAccount {
    var topics = MutedTopics()
    for (topic, channel) in muted { topics.set(topic, channel, isMuted: true) }
    return MonitoredAccount(
      user: .ada(), revision: 1, responders: [.bob], alerts: alerts, deliveries: deliveries,
      furtherChannels: [Self.desktop], mutedTopics: topics)
  }

  private func plan(_ account: MonitoredAccount, now: Date) -> Plan {
    Planner.plan(account, now: now, makeID: { .alert })
  }

  private func onDesktop(_ stage: Stage) -> PlannedDelivery {
    var delivery = PlannedDelivery.toAda(stage)
    (delivery.channel, delivery.address) = (.desktop, Self.desktop.address)
    return delivery
  }

  /// All topics muted on all channels.
  private let everything = Topic.allCases.flatMap { [($0, UUID.ada), ($0, desktop.id)] }

  @Test("CHN-3, REM-1: a reminder muted on one channel is sent on the other, at its time")
  func otherChannel() {
    let muted = account([(.reminders, .ada)])
    let time = deadline - .hours(2)
    #expect(plan(muted, now: time - .seconds(1)).deliveries == [])
    #expect(plan(muted, now: time).deliveries == [onDesktop(.reminder(.hours(2)))])
    let sent = account(
      [(.reminders, .ada)], [DeliveryRecord(20, onDesktop(.reminder(.hours(2))), .sent)])
    let later = plan(sent, now: time + .minutes(1))
    #expect(later.deliveries == [] && later.cancelled == [])
    #expect(later.nextPlanning == deadline - .minutes(30))
  }

  @Test("CHN-3: muting a topic on a channel cancels the topic's pending messages there")
  func queued() {
    let mail = DeliveryRecord(20, .toAda(.reminder(.minutes(30))))
    let desktop = DeliveryRecord(21, onDesktop(.reminder(.minutes(30))))
    let now = deadline - .minutes(20)
    let plan = plan(account([(.reminders, .ada)], [mail, desktop]), now: now)
    #expect(plan.cancelled == [mail.id] && plan.deliveries == [])
  }

  @Test("CHN-3: muting a topic doesn't cancel a message that is being sent before its claim ends")
  func leased() {
    let end = deadline - .minutes(19)
    let record = DeliveryRecord(
      20, .toAda(.reminder(.minutes(30))), attempts: 1, isRecorded: false, leasedUntil: end)
    let leased = account(everything, [record])
    let before = plan(leased, now: deadline - .minutes(20))
    #expect(before.cancelled == [] && before.nextPlanning == end)
    #expect(plan(leased, now: end).cancelled == [record.id])
  }

  @Test("CHN-3: a reminder muted on every channel is sent nowhere and shown on screen once")
  func nowhere() {
    var muted = account(everything)
    let now = deadline - .minutes(30)
    let first = plan(muted, now: now)
    #expect(first.deliveries == [] && first.cancelled == [])
    #expect(first.stagesToShow == [.reminder(.minutes(30))])
    #expect(first.nextPlanning == deadline)
    muted.shownStages = [.reminder(.minutes(30))]
    #expect(plan(muted, now: now) == Plan(nextPlanning: deadline))
  }

  @Test("CHN-3: unmuting a topic sends a due reminder that had been cancelled")
  func onAgain() {
    let cancelled = DeliveryRecord(20, .toAda(.reminder(.minutes(30))), .cancelled)
    let plan = plan(
      account([(.reminders, Self.desktop.id)], [cancelled]), now: deadline - .minutes(9))
    #expect(plan.deliveries == [.toAda(.reminder(.minutes(30)))])
  }

  @Test("CHN-3, CHK-7: the end of a pause is muted by its own topic, not by the one for reminders")
  func pauses() {
    var muted = account([(.pauses, .ada), (.reminders, Self.desktop.id)])
    muted.user.pausedAt = PlannerPauseTests.pause.start
    muted.user.pausedUntil = PlannerPauseTests.pause.end
    let plan = plan(muted, now: PlannerPauseTests.pause.end - .hours(1))
    #expect(plan.deliveries == [onDesktop(.pauseEnds)])
  }

  @Test("CHN-3, ESC-1: a passed deadline is sent on every channel, even with all topics muted")
  func deadlinePassed() {
    let muted = account(everything)
    let everywhere = [PlannedDelivery.toAda(.deadlinePassed), onDesktop(.deadlinePassed)]
    #expect(plan(muted, now: deadline).deliveries == everywhere)
    var late = muted
    late.watchedSince = deadline + .hours(3)
    #expect(
      plan(late, now: deadline + .hours(3)).deliveries
        == [.toAda(.noticedLate), onDesktop(.noticedLate)])
  }

  @Test("CHN-3, ESC-2: alerts and responses are sent on every channel, even with all topics muted")
  func calls() {
    var alert = Alert.manual()
    alert.acknowledgements = [
      Acknowledgement(responder: .bob, name: "Bob", date: start + .hours(2))
    ]
    let plan = plan(account(everything, alerts: [alert]), now: start + .hours(2))
    let toOwner = plan.deliveries.filter { $0.recipient == .owner }
    #expect(toOwner.map(\.stage) == [.acknowledged(.bob), .acknowledged(.bob)])
    #expect(Set(toOwner.map(\.channel)) == [.email, .desktop])
    #expect(plan.deliveries.contains { $0.stage == .alertOn && $0.recipient == .contact(.bob) })
  }
}
