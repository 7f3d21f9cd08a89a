import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

@testable import Features

/// The screens of contacts with accounts.
extension Screen {
  static let relations: [Screen] = [
    Screen(name: "relations-dependents") {
      changing(signedIn { $0.contacts = Sample.relations }) {
        $0.main?.selectedTab = .dependents
      }
    },
    Screen(name: "dependent-calls") { signedIn { $0.contacts = Sample.relations } },
    Screen(name: "dependents-call") {
      signedIn {
        $0.contacts = Sample.relations
        $0.contacts += [
          Sample.linked(
            75, "Ida Rhodes", checkedIn: 1,
            alert: Alert(id: Sample.id(76), kind: .duress, raisedAt: Sample.now - .minutes(1)))
        ]
        $0.alerts = alertReports
      }
    },
    Screen(name: "relations-responders") {
      changing(signedIn { $0.contacts = Sample.relations + [Sample.grace] }) {
        $0.main?.selectedTab = .responders
      }
    },
    Screen(name: "relation-alert") { details(of: Sample.charles) },
    Screen(name: "relation-withdrawal") {
      changing(details(of: Sample.attended)) {
        $0.main?[ContactDetailsFeature.self]?.question = .withdrawal
      }
    },
    Screen(name: "relation-offer") { details(of: Sample.katherine) },
    Screen(name: "relation-ping") {
      changing(details(of: Sample.mary)) {
        $0.main?[ContactDetailsFeature.self]?.question = .ping
      }
    },
    Screen(name: "relation-roles") {
      changing(details(of: Sample.mary)) {
        $0.main?[RolesFeature.self] = RolesFeature.State(contact: Sample.mary)
      }
    },
    Screen(name: "responder-wait") {
      changing(details(of: Sample.hedy)) {
        $0.main?[WaitFeature.self] = WaitFeature.State(contact: Sample.hedy)
      }
    },
    Screen(name: "relation-roles-confirmation") {
      changing(details(of: Sample.mary)) {
        var roles = RolesFeature.State(contact: Sample.mary)
        roles.proposed = .responder
        $0.main?[RolesFeature.self] = roles
      }
    },
    Screen(name: "relation-removal") {
      changing(details(of: Sample.mary)) {
        $0.main?[ContactDetailsFeature.self]?.question = .removal
      }
    },
    Screen(name: "code") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        var code = CodeFeature.State(code: Sample.code)
        code.modules = Sample.modules
        code.message = "Copied, if your terminal allows it."
        $0.main?[CodeFeature.self] = code
      }
    },
    Screen(name: "code-server") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        var code = CodeFeature.State(
          code: Sample.code, host: .server(name: "lifesignal.family.example:8738"))
        code.modules = Sample.modules
        $0.main?[CodeFeature.self] = code
      }
    },
    Screen(name: "code-saving") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        var code = CodeFeature.State(code: Sample.code)
        code.modules = Sample.modules
        code.path = TextInput("code.gif", limit: 1_000)
        code.request.failure = Failure(QRCodeError.unknownFormat.text)
        $0.main?[CodeFeature.self] = code
      }
    },
    Screen(name: "code-reset") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        var code = CodeFeature.State(code: Sample.code)
        code.isConfirmingReset = true
        $0.main?[CodeFeature.self] = code
      }
    },
    Screen(name: "invitations") {
      invitations { $0.open = [Sample.invitation(1), Sample.invitation(2, .dependent)] }
    },
    Screen(name: "invitations-full") {
      invitations {
        $0.open = (1...10).map { Sample.invitation($0, [.responder, .dependent]) }
        $0.request.failure = Failure(ClientError.tooManyInvitations.text)
      }
    },
    Screen(name: "invitations-away") {
      invitations {
        $0.readingFailure =
          ClientError.storage(.network(.serverUnreachable("family.example"))).text
      }
    },
    Screen(name: "invitations-uncertain") {
      invitations {
        $0.open = [Sample.invitation(1)]
        $0.isUncertain = true
      }
    },
    Screen(name: "invitations-used") {
      invitations {
        $0.open = []
        $0.request.failure = Failure(
          ClientError.invitationUsed(by: "Ben", roles: .responder).text)
      }
    },
    Screen(name: "responders-empty-server") { empty(.responders) },
    Screen(name: "dependents-empty-server") { empty(.dependents) },
    Screen(name: "invitation-link") {
      invitations {
        $0.made = Sample.newInvitation
        $0.message = "Copied, if your terminal allows it."
      }
    },
    Screen(name: "invitation-code") {
      invitations {
        $0.made = Sample.newInvitation
        $0.modules = Secret(Sample.modules)
      }
    },
    Screen(name: "invitation-revocation") {
      invitations {
        $0.open = [Sample.invitation(1)]
        $0.revoking = $0.open?[0]
      }
    },
    Screen(name: "code-entry") {
      changing(signedIn()) {
        $0.main?.selectedTab = .responders
        var entry = CodeEntryFeature.State(adding: .responder)
        entry.form[.code] = TextInput("6F1C 2D80", limit: 256)
        _ = entry.isRight()
        $0.main?[CodeEntryFeature.self] = entry
      }
    },
    Screen(name: "code-entry-found") {
      changing(signedIn()) {
        $0.main?.selectedTab = .responders
        var entry = CodeEntryFeature.State(
          adding: .responder, code: SharedCode(Sample.code))
        entry.found = .init(code: Sample.code, name: "Mary Somerville")
        $0.main?[CodeEntryFeature.self] = entry
      }
    },
  ]

  private static func details(of contact: Contact) -> AppFeature.State {
    changing(signedIn { $0.contacts = Sample.relations }) {
      let snapshot = $0.main!.snapshot
      $0.main?.selectedTab = .dependents
      $0.main?[ContactDetailsFeature.self] = ContactDetailsFeature.State(
        contact: contact, snapshot: snapshot)
    }
  }
}

extension Screen {
  /// An empty list of contacts on a machine that has joined a server.
  private static func empty(_ tab: MainTabFeature.Tab) -> AppFeature.State {
    changing(
      signedIn {
        $0.host = .server(name: "family.example")
        $0.contacts = []
      }
    ) {
      $0.main?.selectedTab = tab
    }
  }

  /// The sheet of invitations on a machine that has joined a server.
  private static func invitations(
    _ change: (inout InvitationsFeature.State) -> Void
  ) -> AppFeature.State {
    changing(signedIn { $0.host = .server(name: "family.example") }) {
      $0.main?.selectedTab = .responders
      var invitations = InvitationsFeature.State(for: .responder)
      change(&invitations)
      $0.main?[InvitationsFeature.self] = invitations
    }
  }
}
