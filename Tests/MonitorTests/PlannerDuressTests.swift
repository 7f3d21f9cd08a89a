import Domain
import FoundationEssentials
import Monitor
import Testing

/// Messages to the responders while the person may be under duress, and when an account is deleted.
@Suite struct PlannerDuressTests {
  let now = start + .hours(3)

  func plan(
    _ responders: [Contact] = [.bob, .cyd], _ alerts: [Alert] = [],
    _ deliveries: [DeliveryRecord] = [], deletedAt: Date? = nil, at time: Date? = nil
  ) -> Plan {
    var user = User.ada(email: nil, reminders: [])
    user.deletedAt = deletedAt
    return Planner.plan(
      MonitoredAccount(
        user: user, revision: 1, responders: responders, alerts: alerts, deliveries: deliveries),
      now: time ?? now, makeID: { .alert })
  }

  @Test("CHK-3: a silent alert is sent to every responder")
  func told() {
    #expect(
      plan([.bob, .cyd], [.duress()]).deliveries
        == [.to(.bob, .alertOn, alert: .silent), .to(.cyd, .alertOn, alert: .silent)])
  }

  @Test("CHK-3: during a silent alert, the end of another alert is planned as always")
  func takenBack() {
    let records = [
      DeliveryRecord(20, .to(.bob, .alertOn), .sent), DeliveryRecord(21, .to(.cyd, .alertOn)),
    ]
    let over = Alert.manual(resolvedAt: start + .hours(2))
    let alone = plan([.bob, .cyd], [over], records)
    let during = plan([.bob, .cyd], [over, .duress()], records)
    #expect(alone.deliveries.map(\.stage) == [.alertOff] && alone.cancelled == [records[1].id])
    #expect(Array(during.deliveries.prefix(1)) == alone.deliveries)
    #expect(during.cancelled == alone.cancelled)
    #expect(during.deliveries.dropFirst().map(\.occasion) == [.alert(.silent), .alert(.silent)])
  }

  @Test("CHK-3: after a silent alert, its end and the withheld end of another alert are planned")
  func over() {
    let told = DeliveryRecord(20, .to(.bob, .alertOn), .sent)
    let off = DeliveryRecord(21, .to(.bob, .alertOff), .cancelled)
    let silent = DeliveryRecord(30, .to(.bob, .alertOn, alert: .silent), .sent)
    let alerts = [Alert.manual(resolvedAt: now), .duress(resolvedAt: now)]
    #expect(
      plan([.bob], alerts, [told, off, silent]).deliveries == [
        .to(.bob, .alertOff, inReplyTo: told.messageID),
        .to(.bob, .alertOff, inReplyTo: silent.messageID, alert: .silent),
      ])
  }

  @Test("AUTH-4: a deleted account's responders are notified, then the account is erased")
  func finalMessage() {
    #expect(
      plan(deletedAt: now) == Plan(deliveries: [.finalMessage(to: .bob), .finalMessage(to: .cyd)]))
    func records(_ second: DeliveryState) -> [DeliveryRecord] {
      [
        DeliveryRecord(20, .finalMessage(to: .bob), .sent),
        DeliveryRecord(21, .finalMessage(to: .cyd), second),
      ]
    }
    #expect(plan([.bob, .cyd], [], records(.pending), deletedAt: now) == Plan())
    for state in [DeliveryState.sent, .failed] {
      #expect(
        plan([.bob, .cyd], [], records(state), deletedAt: now) == Plan(erasesAccount: true))
    }
  }

  @Test("AUTH-4: a deleted account without responders is erased at once")
  func nobodyToTell() {
    #expect(plan([], deletedAt: now) == Plan(erasesAccount: true))
  }

  @Test("AUTH-4: deleting an account sends the end of its alert and cancels its pending messages")
  func alertTakenBack() {
    let told = DeliveryRecord(20, .to(.bob, .alertOn), .sent)
    let pending = DeliveryRecord(21, .to(.cyd, .alertOn))
    let reminder = DeliveryRecord(22, .toAda(.deadlinePassed))
    let earlier = DeliveryRecord(23, .toAda(.noticedLate, sequence: 6))
    let plan = plan(
      [.bob, .cyd], [.manual(resolvedAt: now)], [told, pending, reminder, earlier],
      deletedAt: now)
    #expect(plan.cancelled == [reminder.id, earlier.id, pending.id])
    #expect(
      plan.deliveries == [
        .to(.bob, .alertOff, inReplyTo: told.messageID), .finalMessage(to: .bob),
        .finalMessage(to: .cyd),
      ])
    #expect(!plan.erasesAccount)
  }

  @Test("CHK-3, AUTH-4: if an account is deleted under duress, no notice of deletion is sent")
  func deletedUnderDuress() {
    let told = DeliveryRecord(20, .to(.bob, .alertOn), .sent)
    let alerts = [Alert.manual(resolvedAt: now), .duress()]
    let plan1 = plan([.bob], alerts, [told], deletedAt: now)
    #expect(
      plan1
        == Plan(
          deliveries: [
            .to(.bob, .alertOff, inReplyTo: told.messageID), .to(.bob, .alertOn, alert: .silent),
          ], nextPlanning: start + .hours(4)))
    let end = DeliveryRecord(21, .to(.bob, .alertOff), .sent)
    let silent = DeliveryRecord(30, .to(.bob, .alertOn, alert: .silent), .sent)
    #expect(
      plan([.bob], alerts, [told, end, silent], deletedAt: now)
        == Plan(settled: [.alert], nextPlanning: start + .hours(4)))
  }

  @Test(
    "ESC-2, AUTH-4: after a deletion under duress the silent alert repeats until someone responds"
  )
  func deletedUnderDuressAgain() {
    let raised = Alert.duress().raisedAt
    let told = DeliveryRecord(
      30, .to(.bob, .alertOn, alert: .silent), .sent, finishedAt: raised + .seconds(2))
    let again = PlannedDelivery.to(
      .bob, .alertOnAgain(1), inReplyTo: told.messageID, alert: .silent)
    let plan1 = plan([.bob], [.duress()], [told], deletedAt: now, at: raised + .hours(1))
    #expect(plan1 == Plan(deliveries: [again], nextPlanning: raised + .hours(2)))

    var answered = Alert.duress()
    answered.acknowledgements = [
      Acknowledgement(responder: Contact.bob.id, name: "Bob", date: raised + .minutes(5))
    ]
    #expect(
      plan([.bob], [answered], [told], deletedAt: now, at: raised + .hours(1))
        == Plan(erasesAccount: true))
    #expect(
      plan([.bob], [.duress()], [told], deletedAt: now, at: raised + .hours(48))
        == Plan(erasesAccount: true))
  }
}
