import Clients
import Composable
import Domain
import FoundationEssentials
import Testing

/// CHK-3: no operation of a client can weaken help without being behind the gate.
@Suite struct GatedClientTests {
  /// The operations that don't weaken help: they read, strengthen, or belong to the monitor.
  private static let harmless: [String: Set<String>] = [
    "AuthClient": [
      "requestedAddress", "state", "observeState", "createAccount", "checkSignUp", "signIn",
      "signOut", "sessions", "revokeSession", "revokeOtherSessions",
      // These need a mailed code, which stands in for the password (AUTH-5).
      "sendPasswordReset", "resetPassword", "sendAddressCode", "confirmAddress", "takeBack",
    ],
    "UserClient": ["currentUser", "observeCurrentUser"],
    "CheckInClient": [
      "history", "historySince", "observeRecord", "observeHistory",
      // It counts only where there is no gate (CHK-10).
      "sign",
    ],
    "ContactsClient": [
      "contacts", "overview", "add", "lookUp", "request", "accept", "resetCode", "observe", "order",
      // An offer has never counted, and an outside contact can always leave (CON-2, CON-3).
      "decline", "declineByCode",
      // A message that all is well neither brings help nor delays it (NOT-4).
      "setCheckInNews",
    ],
    // An invited person counts only once they have joined; until then nothing is taken away.
    "InvitationClient": [
      "invitations", "create", "add", "revoke", "offer", "setInvitation", "observe",
    ],
    "ChannelsClient": ["overview", "add", "sendTest", "log", "observe", "observeLog", "newTopic"],
    "AlertClient": [
      "raise", "arm", "disarm", "spool", "observeArmed", "acknowledge", "withdraw", "drill",
      "endDrill", "history", "observe",
    ],
    "PingClient": ["send", "withdraw"],
    "StandbyClient": ["standby", "duties", "record", "recordAnswer"],
    "TransferClient": [
      "exportAccount", "movedTo",
      // It needs the data that only the gate has released.
      "completeMove",
      // Only for an account that has moved.
      "stopWatching",
      // Only into an account that is new, or not watched yet.
      "receiveMove", "arrive",
    ],
    "WatchClient": [
      "status", "observe", "readiness", "start", "startAnother", "retryMail", "endsWithProgram",
    ],
    // A code acts only for its recipient.
    "ResponseClient": ["respond", "respondByLink", "invitation", "withdraw", "checkInLink"],
    // What the gate has let through is tried and put into use.
    "MailSettingsClient": ["settings", "test", "keep", "discard"],
  ]

  private static var clients: [Any] {
    let values = DependencyValues()
    return [
      values.authClient, values.userClient, values.checkInClient, values.contactsClient,
      values.channelsClient, values.alertClient, values.pingClient, values.standbyClient,
      values.transferClient, values.invitationClient, values.watchClient, values.responseClient,
      values.mailSettingsClient,
    ]
  }

  @Test("CHK-3: every operation of every client is behind the gate, or known as harmless")
  func everyOperation() {
    #expect(Self.clients.count == Self.harmless.count)
    for client in Self.clients {
      let name = "\(type(of: client))"
      // An endpoint is stored in a property with an underscore, such as `_checkIn`.
      let open = Mirror(reflecting: client).children.filter {
        ($0.value as? any NamedEndpoint)?.gates.isEmpty ?? true
      }
      #expect(
        Set(open.map { $0.label!.trimmingPrefix("_").description }) == Self.harmless[name],
        "\(name)")
    }
  }

  @Test("CHK-3: every gated operation belongs to a client operation of the table")
  func everyGatedOperation() {
    let gated = Self.clients.flatMap { Mirror(reflecting: $0).children }
      .flatMap { ($0.value as? any NamedEndpoint)?.gates ?? [] }
    #expect(Set(gated) == Set(GatedOperation.allCases))
  }
}
