import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

@testable import Features

/// The Check-In tab.
extension Screen {
  /// The alert of the previous deadline.
  private static let missed = AlertReport(
    alert: Alert(
      id: Sample.id(33), kind: .missed, raisedAt: Sample.now - .hours(1), sequence: 0),
    deliveries: [
      DeliveryReport(
        id: Sample.id(34), stage: .nonResponsive, recipientID: .contact(Sample.grace.id),
        recipient: "Grace Hopper", channel: .email,
        address: "grace@navy.example", state: .sent, date: Sample.now - .hours(1))
    ])

  static let checkIn: [Screen] = [
    Screen(name: "check-in") { signedIn() },
    Screen(name: "check-in-reach") {
      signedIn {
        var nobody = Sample.alan
        nobody.channels = []
        $0.contacts = [Sample.grace, Sample.reachable, Sample.hedy, nobody]
      }
    },
    Screen(name: "check-in-reading") {
      var state = AppFeature.State()
      state.main = .opened()
      return state
    },
    Screen(name: "check-in-last-hour") {
      signedIn { $0.user.lastCheckIn = Sample.now - .hours(24) + .seconds(1_385) }
    },
    Screen(name: "check-in-overdue") {
      signedIn {
        $0.user.lastCheckIn = Sample.now - .hours(24) - .minutes(7)
        $0.watch = WatchStatus(monitors: 0)
      }
    },
    Screen(name: "check-in-nobody") {
      signedIn {
        $0.contacts = []
        $0.history = []
        $0.watch = WatchStatus(monitors: 1, problem: "mail is not set up")
      }
    },
    Screen(name: "check-in-alert") { signedIn { $0.alerts = alertReports } },
    Screen(name: "check-in-alert-unsent") {
      signedIn {
        $0.watch = WatchStatus(
          monitors: 1, problem: "mail is not set up; run lifesignal mail setup")
        $0.alerts = [AlertReport(alert: Sample.alert)]
      }
    },
    Screen(name: "check-in-refused") {
      signedIn {
        $0.watch?.lastSeen = Sample.now - .seconds(17)
        $0.alerts = [CheckInFeatureTests.ended(.failed, error: "550 no such user")]
      }
    },
    Screen(name: "check-in-missed-then-longer") { signedIn { $0.alerts = [missed] } },
    Screen(name: "check-in-missed-then-overdue") {
      signedIn {
        $0.user.lastCheckIn = Sample.now - .hours(24) - .minutes(7)
        $0.alerts = [missed]
      }
    },
    Screen(name: "check-in-failed") {
      changing(signedIn()) { $0.main?.checkIn.request.failure = Failure(StorageError.busy.text) }
    },
    Screen(name: "check-in-queued") {
      signedIn {
        $0.host = .server(name: "family.example")
        $0.connection = .offline(since: Sample.now - .hours(1), asOf: Sample.now - .hours(1))
        $0.outbox = OutboxTests.waiting
      }
    },
    Screen(name: "check-in-queued-overdue") {
      signedIn {
        $0.host = .server(name: "family.example")
        $0.user.lastCheckIn = Sample.now - .hours(24) - .minutes(7)
        $0.connection = .offline(since: Sample.now - .hours(1), asOf: Sample.now - .hours(1))
        $0.outbox = OutboxTests.waiting
      }
    },
    Screen(name: "check-in-not-received") {
      signedIn {
        $0.host = .server(name: "family.example")
        $0.outbox = OutboxTests.refused
      }
    },
    Screen(name: "check-in-paused") { signedIn { $0.user = PauseFeatureTests.paused } },
  ]
}
