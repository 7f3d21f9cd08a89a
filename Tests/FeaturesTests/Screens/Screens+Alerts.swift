import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

@testable import Features

/// The Alerts tab.
extension Screen {
  private static let drill = AlertReport(
    alert: Alert(id: Sample.id(35), kind: .drill, raisedAt: Sample.now - .minutes(3_001)),
    deliveries: [
      DeliveryReport(
        id: Sample.id(36), stage: .alertOn, recipientID: .contact(Sample.grace.id),
        recipient: "Grace Hopper", channel: .email,
        address: "grace@navy.example", state: .sent,
        date: Sample.now - .minutes(3_001) + .seconds(3), plannedAt: Sample.now - .minutes(3_001))
    ])

  /// The Alerts tab with the sheet for a code that a responder sent back.
  private static func reply(_ change: (inout ReplyFeature.State) -> Void) -> AppFeature.State {
    changing(alertsTab()) {
      var reply = ReplyFeature.State()
      change(&reply)
      $0.main?[ReplyFeature.self] = reply
    }
  }

  static let alerts: [Screen] = [
    Screen(name: "alerts") { alertsTab() },
    Screen(name: "alerts-acknowledged") {
      var reports = alertReports
      reports[0].alert.acknowledgements = [
        Acknowledgement(responder: Sample.grace.id, name: "Grace Hopper", date: Sample.now)
      ]
      return alertsTab(reports)
    },
    Screen(name: "alerts-filtered") {
      alertsTab([drill]) {
        $0.filter = NotificationFilter(topic: .checkIns, isUnreadOnly: false)
        $0.search.apply(.begin)
        $0.search.apply(.edit(.insert("clear")))
      }
    },
    Screen(name: "alerts-drill-question") { alertsTab([]) { $0.question = .drill } },
    Screen(name: "alerts-clear-question") { alertsTab([]) { $0.question = .clear } },
    Screen(name: "alerts-failed") {
      alertsTab { $0.failure = Failure(StorageError.busy.text, retry: .drillConfirmed) }
    },
    Screen(name: "drill-details") {
      var ended = drill
      ended.alert.resolvedAt = Sample.now - .minutes(3_000)
      return alertsTab([ended]) { $0.opened = Sample.id(75) }
    },
    Screen(name: "notification-details") { alertsTab { $0.opened = Sample.id(71) } },
    Screen(name: "alerts-empty") {
      changing(signedIn()) { $0.main?.selectedTab = .alerts }
    },
    Screen(name: "alert-details") {
      changing(signedIn { $0.alerts = alertReports }) {
        $0.main?.selectedTab = .alerts
        $0.main?.alerts.opened = Sample.alert.id
      }
    },
    Screen(name: "reply") {
      reply {
        $0.form[.code] = TextInput("7K3QF", limit: 64)
        _ = $0.isRight()
      }
    },
    Screen(name: "reply-unknown") {
      reply {
        $0.form[.code] = TextInput("7K3QF-9ZD2M", limit: 64)
        $0.form.failure = ClientError.responseCodeUnknown.text
      }
    },
  ]
}
