import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

@testable import Features

/// The screens before there is an account, and those that cover everything.
extension Screen {
  /// A store that can't be read.
  private static var unreadable: AppFeature.State {
    changing(AppFeature.State()) {
      $0.failure = StorageError.corrupt(detail: "Page 3 is malformed.").text
      $0.emergency = EmergencyFeature.State()
      $0.unread = .unread(now: Sample.now, calendar: .utc)
    }
  }

  /// The last step of the onboarding.
  private static func firstMessage(
    _ kind: Channel.Kind, hasMail: Bool = true, _ phase: FirstMessageFeature.State.Phase = .offered
  ) -> AppFeature.State {
    changing(onboarding(.responder)) {
      $0.onboarding?.choose(kind)
      $0.onboarding?.form[.responderName] = TextInput("Grace Hopper", limit: 200)
      $0.onboarding?.firstMessage = FirstMessageFeature.State(
        user: Sample.user, responder: "Grace Hopper",
        channel: ChannelDraft(
          kind, kind == .ntfy ? NtfyTopic(random: Array(0..<20)).address : "grace@example.org"),
        hasMail: hasMail, phase: phase)
    }
  }

  static let opening: [Screen] = [
    Screen(name: "opening") { AppFeature.State() },
    Screen(name: "failure") {
      unreadable
    },
    Screen(name: "failure-raising") {
      changing(unreadable) {
        $0.emergency?.begin(EmergencyFeature.Armed(Sample.id(1), secondsLeft: 4))
      }
    },
    Screen(name: "out-of-date") {
      signedIn {
        $0.note(StorageError.busy.text, of: .alerts, at: Sample.now - .minutes(4))
        $0.note(StorageError.busy.text, of: .contacts, at: Sample.now - .minutes(3))
      }
    },
    Screen(name: "out-of-date-damaged") {
      signedIn {
        for part in AccountSnapshot.Part.allCases {
          $0.note(
            StorageError.corrupt(
              detail:
                "/home/ada/.local/share/lifesignal/lifesignal.db is no database, or a damaged "
                + "one."
            ).text, of: part, at: Sample.now - .minutes(4))
        }
      }
    },
    Screen(name: "onboarding-person") {
      changing(onboarding(.person)) {
        $0.onboarding?.form[.name] = TextInput("Ada 7", limit: 200)
        let validation = $0.onboarding!.validation
        _ = $0.onboarding?.form.isRight(validation)
      }
    },
    Screen(name: "onboarding-note") { onboarding(.note) },
    Screen(name: "onboarding-interval") { onboarding(.interval) },
    Screen(name: "onboarding-responder") {
      changing(onboarding(.responder)) {
        $0.onboarding?.suggest(NtfyTopic(random: Array(0..<20)))
      }
    },
    Screen(name: "onboarding-alone") {
      changing(onboarding(.responder)) { $0.onboarding?.isConfirmingNoResponder = true }
    },
    Screen(name: "onboarding-invited") {
      changing(onboarding(.responder)) {
        $0.onboarding = OnboardingFeature.State(
          calendar: .utc, host: .server(name: "family.example"), inviter: "Ida Rhodes")
        $0.onboarding?.show(.responder)
        $0.onboarding?.isConfirmingNoResponder = true
      }
    },
    Screen(name: "onboarding-responder-ntfy") {
      changing(onboarding(.responder)) {
        $0.onboarding?.form[.responderName] = TextInput("Grace Hopper", limit: 200)
        $0.onboarding?.form[.responderAddress] = TextInput("a topic", limit: 2_000)
        let validation = $0.onboarding!.validation
        _ = $0.onboarding?.form.isRight(validation)
      }
    },
    Screen(name: "onboarding-first-message") { firstMessage(.email, hasMail: false) },
    Screen(name: "onboarding-first-message-ntfy") { firstMessage(.ntfy) },
    Screen(name: "onboarding-first-message-back") {
      changing(firstMessage(.ntfy)) { $0.onboarding?.changeResponder() }
    },
    Screen(name: "onboarding-first-message-code") {
      changing(firstMessage(.ntfy)) {
        $0.onboarding?.firstMessage?.code = (0..<29).map { row in
          (0..<29).map { ($0 * 7 + row * 5) % 3 == 0 }
        }
      }
    },
    Screen(name: "onboarding-first-message-sent") {
      firstMessage(.ntfy, .done(FirstMessageResult(error: nil)))
    },
    Screen(name: "onboarding-first-message-failed") {
      firstMessage(.email, .done(FirstMessageResult(error: "the mail server can't be reached")))
    },
    Screen(name: "palette") {
      changing(signedIn()) {
        $0.palette = AppFeature.Palette()
        $0.palette?.query.apply(.insert("al"))
      }
    },
    Screen(name: "alert-confirmation") {
      changing(signedIn()) { $0.main?.emergency.phase = .confirming }
    },
    Screen(name: "keys-and-toast") {
      changing(signedIn()) {
        $0.isShowingKeys = true
        $0.toast = ToastMessage("Checked in. Next deadline tomorrow 08:00.")
      }
    },
    Screen(name: "quit-while-raising") {
      changing(signedIn()) {
        $0.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 4))
        $0.isConfirmingQuit = true
      }
    },
    Screen(name: "quit-while-armed") {
      changing(signedIn()) {
        $0.main?.emergency.begin(.init(Sample.alert.id, secondsLeft: 4))
        $0.main?.emergency.armed?.isStored = true
        $0.isConfirmingQuit = true
      }
    },
    Screen(name: "quit-during-alert") {
      changing(signedIn { $0.alerts = alertReports }) { $0.isConfirmingQuit = true }
    },
    Screen(name: "quit") {
      changing(onboarding(.person)) { $0.isConfirmingQuit = true }
    },
  ]
}
