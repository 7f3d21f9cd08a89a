import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

@testable import Features

/// An alert that is raised or cancelled, over everything.
extension Screen {
  static let emergency: [Screen] = [
    Screen(name: "emergency-pressing") {
      changing(signedIn()) {
        for _ in 0..<4 { _ = $0.main?.emergency.trigger.press(at: Sample.now) }
      }
    },
    Screen(name: "emergency-countdown") {
      changing(signedIn()) { $0.main?.emergency.phase = .raising(secondsLeft: 4) }
    },
    Screen(name: "emergency-message") {
      changing(signedIn()) { $0.main?.emergency.phase = .writingMessage }
    },
    Screen(name: "emergency-nobody-sends") {
      changing(
        signedIn {
          $0.watch = WatchStatus(monitors: 1, problem: "mail is not set up in config.json5")
          $0.alerts = [AlertReport(alert: Sample.alert)]
        }
      ) { $0.main?.emergency.phase = .raised(Sample.alert) }
    },
    Screen(name: "emergency-raised") {
      changing(signedIn { $0.alerts = alertReports }) {
        $0.main?.emergency.phase = .raised(Sample.alert)
      }
    },
    Screen(name: "emergency-failed") {
      changing(signedIn()) { $0.main?.emergency.phase = .failed(StorageError.full.text) }
    },
    Screen(name: "emergency-cancelling") {
      changing(signedIn { $0.alerts = alertReports }) {
        $0.main?.emergency.phase = .cancelling(secondsLeft: 3)
      }
    },
  ]
}
