import Clients
import Composable
import Domain
import FoundationEssentials
import Testing

/// CHK-3: no operation of a client can weaken help without being in the table.
@Suite struct GatedClientTests {
  /// Whether an operation passes the gate.
  private enum Guarding {
    case gated([GatedOperation])
    /// It does not weaken help: it reads, strengthens, or belongs to the monitor.
    case open
  }

  private static let table: [String: [String: Guarding]] = [
    "AuthClient": [
      "requestedAddress": .open, "state": .open, "observeState": .open, "createAccount": .open,
      "checkSignUp": .open, "signIn": .open, "signOut": .open,
      "updatePassword": .gated([.changePassword]),
      // These need a mailed code, which stands in for the password (AUTH-5).
      "sendPasswordReset": .open, "resetPassword": .open, "sendAddressCode": .open,
      "confirmAddress": .open, "takeBack": .open,
      "sessions": .open, "revokeSession": .open, "revokeOtherSessions": .open,
      "updateGate": .gated([.changeGate]),
      // It only reads, and only with the true passphrase.
      "silentAlert": .open,
      "passGate": .gated([.stopMonitor, .restoreStore, .changeSecret]),
      "endSilentAlert": .gated([.endSilentAlert]), "deleteAccount": .gated([.deleteAccount]),
    ],
    "UserClient": [
      "currentUser": .open, "updateProfile": .gated([.changeAddress]),
      "updateEscalation": .gated([.weakenEscalation]), "allowLinkCheckIn": .gated([.allowLinks]),
      "observeCurrentUser": .open,
    ],
    "CheckInClient": [
      "checkIn": .gated([.checkIn]), "pause": .gated([.pause]), "resume": .gated([.resume]),
      "history": .open, "historySince": .open, "observeRecord": .open,
      "updateInterval": .gated([.lengthenInterval]), "observeHistory": .open,
    ],
    "ContactsClient": [
      "contacts": .open, "overview": .open, "add": .open, "update": .gated([.weakenContact]),
      "delete": .gated([.removeContact]), "lookUp": .open, "request": .open, "accept": .open,
      // An offer has never counted, and an outside contact can always leave (CON-2, CON-3).
      "decline": .open, "declineByCode": .open,
      "setRoles": .gated([.removeRole]), "resetCode": .open, "observe": .open, "order": .open,
    ],
    // An invited person counts only once they have joined; until then nothing is taken away.
    "InvitationClient": [
      "invitations": .open, "create": .open, "add": .open, "revoke": .open, "offer": .open,
      "setInvitation": .open, "observe": .open,
    ],
    "ChannelsClient": [
      "overview": .open, "add": .open, "remove": .gated([.removeChannel]),
      "setMuted": .gated([.muteChannel]), "secret": .gated([.showSecret]),
      "replaceSecret": .gated([.replaceSecret]), "sendTest": .open,
      "log": .open, "observe": .open, "observeLog": .open, "newTopic": .open,
    ],
    "AlertClient": [
      "raise": .open, "arm": .open, "disarm": .open, "spool": .open, "observeArmed": .open,
      "cancel": .gated([.cancelAlert]), "acknowledge": .open, "withdraw": .open,
      "drill": .open, "endDrill": .open,
      "history": .open, "observe": .open,
    ],
    "PingClient": [
      "send": .open, "withdraw": .open, "answer": .gated([.answerPings]),
      "answerAll": .gated([.answerPings]),
    ],
    "StandbyClient": [
      "standby": .open, "update": .gated([.changeStandby]), "duties": .open, "record": .open,
      "recordAnswer": .open,
    ],
    "TransferClient": [
      "exportAccount": .open, "importAccount": .gated([.importAccount]),
      "prepareMove": .gated([.moveAccount]),
      // It needs the data that only the gate has released.
      "completeMove": .open,
      // Only for an account that has moved.
      "stopWatching": .open, "movedTo": .open, "reclaim": .gated([.checkIn]),
      // Only into an account that is new, or not watched yet.
      "receiveMove": .open, "arrive": .open,
    ],
    "WatchClient": [
      "status": .open, "observe": .open, "readiness": .open, "start": .open, "startAnother": .open,
      "retryMail": .open, "endsWithProgram": .open,
    ],
    // A code acts only for its recipient; the page asks for the passphrase itself.
    "ResponseClient": [
      "respond": .open, "press": .open, "look": .open, "withdraw": .open, "lookCheckIn": .open,
      "checkIn": .open,
    ],
  ]

  private static var clients: [Any] {
    let values = DependencyValues()
    return [
      values.authClient, values.userClient, values.checkInClient, values.contactsClient,
      values.channelsClient, values.alertClient, values.pingClient, values.standbyClient,
      values.transferClient, values.invitationClient, values.watchClient, values.responseClient,
    ]
  }

  @Test(
    "CHK-3: every operation of every client is in the table, and what it gates takes a passphrase")
  func everyOperation() {
    #expect(Self.clients.count == Self.table.count)
    for client in Self.clients {
      let name = "\(type(of: client))"
      let table = Self.table[name] ?? [:]
      // An endpoint is stored in a property with an underscore, such as `_checkIn`.
      let operations = Mirror(reflecting: client).children.map {
        (name: $0.label!.trimmingPrefix("_").description, value: $0.value)
      }
      #expect(Set(operations.map(\.name)) == Set(table.keys), "\(name)")
      for operation in operations {
        guard case .gated = table[operation.name] else { continue }
        let type = "\(type(of: operation.value))"
        #expect(type.contains("Optional<Secret<String>>"), "\(name).\(operation.name): \(type)")
      }
    }
  }

  @Test("CHK-3: every operation of the table is one of a client")
  func everyGatedOperation() {
    let gated = Self.table.values.flatMap(\.values).flatMap { guarding in
      if case .gated(let operations) = guarding { operations } else { [GatedOperation]() }
    }
    #expect(Set(gated) == Set(GatedOperation.allCases))
  }
}
