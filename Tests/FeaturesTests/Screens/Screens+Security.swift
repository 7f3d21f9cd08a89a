import Clients
import Composable
import Domain
import Terminal

@testable import Features

/// The screens for signing in and for an account's security.
extension Screen {
  private static func signingIn(
    _ change: (inout AuthenticationFeature.State) -> Void = { _ in }
  ) -> AppFeature.State {
    changing(AppFeature.State()) {
      var authentication = AuthenticationFeature.State(email: "ada@example.org")
      change(&authentication)
      $0.authentication = authentication
    }
  }

  /// The security of an account.
  /// - Parameter sheet: The sheet above it.
  private static func security(
    _ locks: User.Locks = [.password, .gate], _ sheet: OpenSheet? = nil,
    _ change: (inout SecurityFeature.State) -> Void = { _ in }
  ) -> AppFeature.State {
    changing(signedIn { $0.user.locks = locks }) {
      $0.main?.selectedTab = .profile
      var security = SecurityFeature.State(snapshot: $0.main!.snapshot)
      security.sessions = locks.contains(.password) ? SecurityFeatureTests.sessions : []
      change(&security)
      $0.main?[SecurityFeature.self] = security
      if let sheet { $0.main?.path.append(sheet) }
    }
  }

  private static func typed(_ text: String) -> TextInput {
    var input = TextInput.secret
    input.apply(.insertSecurely(SecureText(text)))
    return input
  }

  static let security: [Screen] = [
    Screen(name: "sign-in") { signingIn { $0.form[.password] = typed("correct horse") } },
    Screen(name: "sign-in-authenticating") {
      signingIn {
        $0.form[.password] = typed("correct horse")
        $0.form.isSaving = true
      }
    },
    Screen(name: "sign-in-wrong") {
      signingIn { $0.form.failure = ClientError.invalidCredentials.text }
    },
    Screen(name: "sign-in-locked") {
      signingIn {
        $0.form.failure = ClientError.tooManyAttempts(until: Sample.now + .minutes(1))
          .text(.constant(Sample.now))
      }
    },
    Screen(name: "sign-in-ended") {
      signingIn {
        $0.notice = "You have been signed out: the session expired or was ended on another device."
      }
    },
    Screen(name: "sign-up") {
      signingIn {
        $0.show(.signUp)
        $0.form[.password] = typed("four random words")
        $0.form[.repetition] = typed("four")
        _ = $0.form.isRight(AuthenticationFeature.validate)
      }
    },
    Screen(name: "sign-up-invited") {
      changing(signingIn { _ in }) {
        $0.authentication = AuthenticationFeature.State(
          mode: .signUp, host: .server(name: "family.example"))
      }
    },
    Screen(name: "sign-up-offer") {
      changing(signingIn { _ in }) {
        $0.authentication = AuthenticationFeature.State(
          mode: .signUp, host: .server(name: "family.example"))
        $0.authentication?.offer = InvitationOffer(name: "Ida Rhodes", roles: .dependent)
      }
    },
    Screen(name: "password-forgotten") { signingIn { $0.show(.forgotten) } },
    Screen(name: "not-me") { signingIn { $0.show(.notMe) } },
    Screen(name: "password-new") { signingIn { $0.show(.newPassword) } },
    Screen(name: "onboarding-credentials") {
      changing(signingIn { $0.show(.signUp) }) {
        $0.onboarding = OnboardingFeature.State(
          calendar: .utc,
          credentials: Credentials(email: "bo@example.org", password: Secret("four random words")))
        $0.onboarding?.show(.interval)
      }
    },
    Screen(name: "gate") {
      changing(signedIn()) {
        $0.main?.checkIn.request.isRunning = true
        $0.main?.prompt.request = SecretRequest(
          id: 1, kind: .passphrase(.checkIn), error: GateError.wrong.text)
      }
    },
    Screen(name: "gate-offline") {
      changing(
        signedIn {
          $0.host = .server(name: "family.example")
          $0.connection = .offline(since: Sample.now - .minutes(3), asOf: Sample.now)
        }
      ) {
        $0.main?.checkIn.request.isRunning = true
        $0.main?.prompt.request = SecretRequest(id: 1, kind: .passphrase(.checkIn))
      }
    },
    Screen(name: "gate-alert") {
      changing(signedIn { $0.alerts = alertReports }) {
        $0.main?.emergency.phase = .storingCancellation
        $0.main?.prompt.request = SecretRequest(id: 1, kind: .passphrase(.cancelAlert))
        $0.main?.prompt.secret = typed("blue kettle")
      }
    },
    Screen(name: "security") { security() },
    Screen(name: "security-open") { security([]) },
    Screen(name: "security-sign-out") { security { $0.question = .signOut } },
    Screen(name: "security-password") {
      security([], OpenSheet(PasswordFeature.self, .init(.set)))
    },
    Screen(name: "security-gate") {
      security(.gate, OpenSheet(GateFormFeature.self, .init(hasGate: true)))
    },
    Screen(name: "security-silent-alert") {
      var silent = SilentAlertFeature.State()
      silent.answer = .on(
        Alert(id: Sample.id(80), kind: .duress, raisedAt: Sample.now - .hours(1)))
      return security(.gate, OpenSheet(SilentAlertFeature.self, silent))
    },
    Screen(name: "security-no-silent-alert") {
      var silent = SilentAlertFeature.State()
      silent.answer = SilentAlertFeature.Answer.none
      return security(.gate, OpenSheet(SilentAlertFeature.self, silent))
    },
    Screen(name: "security-deletion") {
      var snapshot = SecurityFeatureTests.snapshot([.password, .gate])
      snapshot.alerts = alertReports
      return security(
        [.password, .gate], OpenSheet(DeletionFeature.self, .init(snapshot: snapshot)))
    },
  ]
}
