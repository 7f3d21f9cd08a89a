import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

@testable import Features

/// The Profile tab with its sheets.
extension Screen {
  private static func mail(_ state: MailFeature.State) -> AppFeature.State {
    changing(signedIn()) {
      $0.main?.selectedTab = .profile
      $0.main?[MailFeature.self] = state
    }
  }

  static let profile: [Screen] = [
    Screen(name: "profile") {
      changing(signedIn()) { $0.main?.selectedTab = .profile }
    },
    Screen(name: "profile-unconfirmed") {
      changing(signedIn()) {
        $0.show { $0.user.locks.insert(.unconfirmedAddress) }
        $0.main?.selectedTab = .profile
      }
    },
    Screen(name: "profile-edit") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        $0.main?[EditProfileFeature.self] = EditProfileFeature.State(profile: Sample.user.profile)
      }
    },
    Screen(name: "mail") { mail(MailFeature.State(address: "ada@gmail.com")) },
    Screen(name: "mail-sent") {
      var state = MailFeature.State(address: "ada@example.org")
      state.test = .done(MailFeatureTests.sent)
      return mail(state)
    },
    Screen(name: "mail-refused") {
      var state = MailFeature.State(address: "ada@example.org")
      state.test = .done(MailFeatureTests.refused)
      state.untestedAccount = MailFeatureTests.smtp
      return mail(state)
    },
    Screen(name: "error-log") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        $0.main?[ErrorLogFeature.self] = ErrorLogFeature.State()
        $0.main?[ErrorLogFeature.self]?.entries = ErrorLogFeatureTests.entries
      }
    },
    Screen(name: "error-log-counts") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        $0.main?[ErrorLogFeature.self] = ErrorLogFeature.State()
        $0.main?[ErrorLogFeature.self]?.entries = ErrorLogFeatureTests.entries
        $0.main?[ErrorLogFeature.self]?.isCounting = true
      }
    },
    Screen(name: "error-log-empty") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        $0.main?[ErrorLogFeature.self] = ErrorLogFeature.State()
        $0.main?[ErrorLogFeature.self]?.entries = []
      }
    },
    Screen(name: "settings") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        $0.main?[SettingsFeature.self] = SettingsFeature.State()
      }
    },
    Screen(name: "reminders") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        $0.main?[EscalationFeature.self] = EscalationFeature.State(user: Sample.user)
      }
    },
  ]
}
