import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

@testable import Features

/// Raising and cancelling an alert.
extension Screen {
  /// An alert with more messages than fit into the panel, all of which fail.
  private static let unreachable = AlertReport(
    alert: Sample.alert,
    deliveries: (0..<6).map { index in
      DeliveryReport(
        id: Sample.id(UInt8(170 + index)), stage: .alertOn,
        recipientID: .contact(Sample.id(UInt8(180 + index))),
        recipient: "Responder \(index + 1)",
        channel: .email, address: "nobody@example.org", state: .failed, date: Sample.now,
        error: "The mail server answered 550: there is no such user here, and there never was.")
    })

  /// An alert that Grace responded to and then withdrew from. A second message was sent to Alan.
  private static let withdrawn = AlertReport(
    alert: Sample.alert,
    deliveries: [
      (Sample.grace, Stage.alertOn), (Sample.alan, .alertOn),
      (Sample.alan, .alertNote(Sample.id(72))),
    ].enumerated().map { index, message in
      DeliveryReport(
        id: Sample.id(UInt8(190 + index)), stage: message.1,
        recipientID: .contact(message.0.id), recipient: message.0.name, channel: .email,
        address: message.0.channels[0].address, state: .sent, date: Sample.now)
    },
    withdrawals: [Withdrawal(responder: Sample.grace.id, name: "Grace Hopper", date: Sample.now)])

  static let emergency: [Screen] = [
    Screen(name: "emergency-unreachable") {
      changing(signedIn { $0.alerts = [unreachable] }) {
        $0.main?.emergency.phase = .raised(Sample.alert)
      }
    },
    Screen(name: "emergency-pressing") {
      changing(signedIn()) {
        for _ in 0..<4 { _ = $0.main?.emergency.trigger.press(at: Sample.now) }
      }
    },
    Screen(name: "emergency-countdown") {
      changing(signedIn()) {
        $0.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 4))
        $0.main?.emergency.armed?.isStored = true
      }
    },
    Screen(name: "emergency-message") {
      changing(signedIn()) {
        $0.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 20))
        $0.main?.emergency.message.apply(.insert("fell on the stairs"))
        $0.main?.emergency.phase = .writingMessage
      }
    },
    Screen(name: "emergency-long-message") {
      changing(signedIn()) {
        $0.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 20))
        $0.main?.emergency.message.apply(
          .insert(
            """
            Fell on the stairs of the north tower, between the second and the third floor; the left
            leg, I can't stand.
            The door is open, the lift doesn't go.
            """))
        $0.main?.emergency.phase = .writingMessage
      }
    },
    Screen(name: "emergency-second-message") {
      changing(signedIn { $0.alerts = alertReports }) {
        $0.main?.emergency.message.apply(.insert("the left leg"))
        $0.main?.emergency.phase = .writingSecondMessage(Sample.alert)
      }
    },
    Screen(name: "emergency-queued") {
      changing(signedIn()) {
        $0.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 0))
        $0.main?.emergency.armed?.isQueued = true
        $0.main?.emergency.phase = .storing
      }
    },
    Screen(name: "emergency-kept") { keptAlert() },
    Screen(name: "emergency-kept-countdown") {
      changing(keptAlert()) {
        $0.main?.emergency.phase = .raising
        $0.main?.emergency.armed?.isQueued = false
        $0.main?.emergency.armed?.secondsLeft = 4
      }
    },
    Screen(name: "quit-while-refused") {
      changing(signedIn { $0.outbox = OutboxTests.refused }) { $0.isConfirmingQuit = true }
    },
    Screen(name: "quit-while-kept") { changing(keptAlert()) { $0.isConfirmingQuit = true } },
    Screen(name: "emergency-not-stopped") {
      changing(signedIn()) {
        $0.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 4))
        $0.main?.emergency.armed?.problem = StorageError.full.text
      }
    },
    Screen(name: "emergency-nobody-sends") {
      changing(
        signedIn {
          $0.watch = WatchStatus(
            monitors: 1, problem: "mail is not set up; run lifesignal mail setup")
          $0.alerts = [AlertReport(alert: Sample.alert)]
        }
      ) { $0.main?.emergency.phase = .raised(Sample.alert) }
    },
    Screen(name: "emergency-raised") {
      changing(signedIn { $0.alerts = alertReports }) {
        $0.main?.emergency.phase = .raised(Sample.alert)
      }
    },
    Screen(name: "emergency-withdrawn") {
      changing(signedIn { $0.alerts = [withdrawn] }) {
        $0.main?.emergency.phase = .raised(Sample.alert)
        $0.toast = ToastMessage(
          "Grace Hopper is no longer responding.", .danger)
      }
    },
    Screen(name: "emergency-failed") {
      changing(signedIn()) { $0.main?.emergency.phase = .failed(StorageError.full.text) }
    },
    Screen(name: "emergency-unanswered") {
      changing(signedIn()) {
        $0.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 1))
        $0.main?.emergency.armed?.mayBeStored = true
        $0.main?.emergency.phase = .failed(NetworkError.unanswered.text)
      }
    },
    Screen(name: "emergency-cancelling") {
      changing(signedIn { $0.alerts = alertReports }) {
        var cancellation = EmergencyFeature.Cancellation(openedAt: Sample.now)
        for seconds in [0.5, 1] { _ = cancellation.trigger.press(at: Sample.now + seconds) }
        $0.main?.emergency.phase = .confirmingCancellation(cancellation)
      }
    },
  ]
}

extension Screen {
  /// An alert that is due and that the server hasn't answered.
  fileprivate static func keptAlert() -> AppFeature.State {
    changing(
      signedIn {
        $0.host = .server(name: "family.example")
        $0.connection = .offline(since: Sample.now - .minutes(3), asOf: Sample.now)
      }
    ) {
      $0.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 0))
      $0.main?.emergency.armed?.isStored = true
      $0.main?.emergency.armed?.isQueued = true
      $0.main?.emergency.armed?.reason =
        StorageError.network(.serverUnreachable("family.example")).text
      $0.main?.emergency.phase = .storing
    }
  }
}
