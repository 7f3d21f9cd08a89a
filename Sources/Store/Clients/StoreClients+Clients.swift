import Clients
import Domain
import FoundationEssentials

extension StoreClients {
  var userClient: UserClient {
    UserClient {
      $0.currentUser = { [store] () async throws(ClientError) in try await store.currentUser() }
      $0.updateProfile = {
        [store, hashing]
        (profile: Profile, password: Secret<String>?, passphrase: Secret<String>?)
          async throws(ClientError) in
        try await store.updateProfile(profile, password, passphrase, hashing)
      }
      $0.updateEscalation = {
        [store, hashing]
        (
          reminders: [TimeSpan], grace: TimeSpan, repeatInterval: TimeSpan,
          passphrase: Secret<String>?
        ) async throws(ClientError) in
        try await store.pass(.weakenEscalation, passphrase, hashing) {
          try $0.user($1).isWeakened(
            byReminders: reminders, grace: grace, repeatInterval: repeatInterval)
        }
        return try await store.updateEscalation(reminders, grace, repeatInterval)
      }
      $0.allowLinkCheckIn = {
        [store, hashing] (isAllowed: Bool, passphrase: Secret<String>?)
          async throws(ClientError) in
        try await store.pass(.allowLinks, passphrase, hashing) { _, _ in isAllowed }
        return try await store.allowLinkCheckIn(isAllowed)
      }
      $0.observeCurrentUser = { [store] in
        store.observeAccount { store throws(ClientError) in
          try store.currentUser()
        }
      }
    }
  }

  var checkInClient: CheckInClient {
    CheckInClient {
      $0.checkIn = {
        [store, hashing] (source: CheckIn.Source, passphrase: Secret<String>?)
          async throws(ClientError) in
        try await store.pass(.checkIn, passphrase, hashing)
        return try await store.checkIn(source)
      }
      $0.pause = {
        [store, hashing] (until: Date, passphrase: Secret<String>?) async throws(ClientError) in
        try await store.pass(.pause, passphrase, hashing)
        return try await store.pause(until: until)
      }
      $0.resume = {
        [store, hashing] (source: CheckIn.Source, passphrase: Secret<String>?)
          async throws(ClientError) in
        try await store.pass(.resume, passphrase, hashing)
        return try await store.resume(source)
      }
      $0.history = { [store] (limit: Int) async throws(ClientError) in
        try await store.history(limit)
      }
      $0.historySince = { [store] (start: Date) async throws(ClientError) in
        try await store.history(since: start)
      }
      $0.observeRecord = { [store] calendar in
        store.observeAccount { store throws(ClientError) in
          try store.record(calendar)
        }
      }
      $0.updateInterval = {
        [store, hashing] (interval: CheckInInterval, passphrase: Secret<String>?)
          async throws(ClientError) in
        try await store.pass(.lengthenInterval, passphrase, hashing) {
          interval.span > (try $0.user($1)).interval.span
        }
        return try await store.updateInterval(interval)
      }
      $0.observeHistory = { [store] limit in
        store.observeAccount { store throws(ClientError) in
          try store.history(limit)
        }
      }
    }
  }

  var contactsClient: ContactsClient {
    ContactsClient {
      $0.contacts = { [store] () async throws(ClientError) in try await store.contacts() }
      $0.overview = { [store] (limit: Int, order: NameOrder) async throws(ClientError) in
        try await store.contactOverview(naming: limit, order)
      }
      $0.add = { [store] (draft: ContactDraft) async throws(ClientError) in
        try await store.addContact(draft)
      }
      $0.update = {
        [store, hashing] (read: Contact, draft: ContactDraft, passphrase: Secret<String>?)
          async throws(ClientError) in
        // What was read and is not any more is refused afterwards.
        try await store.pass(.weakenContact, passphrase, hashing) { _, _ in
          read.isWeakened(by: draft)
        }
        return try await store.updateContact(read, draft)
      }
      $0.delete = {
        [store, hashing] (id: Contact.ID, passphrase: Secret<String>?)
          async throws(ClientError) in
        try await store.pass(.removeContact, passphrase, hashing)
        return try await store.deleteContact(id)
      }
      $0.lookUp = { [store] (code: AccountCode) async throws(ClientError) in
        try await store.lookUp(code)
      }
      $0.request = { [store] (code: AccountCode, roles: Roles) async throws(ClientError) in
        try await store.requestRelation(code, roles)
      }
      $0.accept = { [store] (id: Contact.ID) async throws(ClientError) in
        try await store.acceptRelation(id)
      }
      $0.decline = { [store] (id: Contact.ID) async throws(ClientError) in
        try await store.declineRelation(id)
      }
      $0.declineByCode = { [store] (typed: Secret<String>) async throws(ClientError) in
        try await store.declineByCode(typed)
      }
      $0.setRoles = {
        [store, hashing] (id: Contact.ID, roles: Roles, passphrase: Secret<String>?)
          async throws(ClientError) in
        try await store.pass(.removeRole, passphrase, hashing) {
          !roles.isSuperset(of: try $0.relation(id, of: $1, or: ClientError.contactNotFound).roles)
        }
        return try await store.setRoles(id, roles)
      }
      $0.resetCode = { [store] () async throws(ClientError) in try await store.resetCode() }
      $0.observe = { [store] in
        store.observeAccount { store throws(ClientError) in
          try store.contacts()
        }
      }
    }
  }

  var invitationClient: InvitationClient {
    InvitationClient {
      $0.invitations = { [store] () async throws(ClientError) in try await store.invitations() }
      // A server's app makes the code itself.
      $0.create = { (_: Roles) async throws(ClientError) in throw .invitationsNeedServer }
      $0.show = { (_: String) async throws(ClientError) in throw .invitationsNeedServer }
      $0.add = { [store] (digest: String, roles: Roles) async throws(ClientError) in
        try await store.addInvitation(digest, roles)
      }
      $0.revoke = { [store] (id: Invitation.ID) async throws(ClientError) in
        try await store.revokeInvitation(id)
      }
      $0.offer = { [store] () async throws(ClientError) in try await store.invitationOffer() }
      $0.observe = { [store] in
        store.observeAccount { store throws(ClientError) in
          try store.invitations()
        }
      }
    }
  }

  var alertClient: AlertClient {
    AlertClient {
      $0.raise = { [store] (message: String) async throws(ClientError) in
        try await store.raiseAlert(message)
      }
      $0.arm = {
        [store] (id: Alert.ID, message: String, delay: TimeSpan) async throws(ClientError) in
        try await store.arm(id, message, delay)
      }
      $0.disarm = { [store] (id: Alert.ID) async throws(ClientError) in try await store.disarm(id) }
      $0.spool = {
        [store] (id: Alert.ID, message: String, delay: TimeSpan) async throws(ClientError) in
        try await store.keepInSpool(id, message, delay)
      }
      $0.observeArmed = { [store] in
        // What waits in a file changes no revision of the account.
        store.observe { store in try store.observedArmed() }
      }
      $0.cancel = { [store, hashing] (passphrase: Secret<String>?) async throws(ClientError) in
        _ = try await store.pass(.cancelAlert, passphrase, hashing)
        return try await store.cancelAlert()
      }
      $0.acknowledge = { [store] (id: Alert.ID) async throws(ClientError) in
        try await store.acknowledge(id)
      }
      $0.withdraw = { [store] (id: Alert.ID) async throws(ClientError) in
        try await store.withdraw(id)
      }
      $0.drill = { [store] () async throws(ClientError) in try await store.beginDrill() }
      $0.endDrill = { [store] () async throws(ClientError) in try await store.endDrill() }
      $0.history = { [store] (limit: Int) async throws(ClientError) in try await store.alerts(limit)
      }
      $0.observe = { [store] limit in
        store.observeAccount { store throws(ClientError) in
          try store.alerts(limit)
        }
      }
    }
  }

  var pingClient: PingClient {
    PingClient {
      $0.send = { [store] (contact: Contact.ID) async throws(ClientError) in
        try await store.sendPing(contact)
      }
      $0.withdraw = { [store] (id: Ping.ID) async throws(ClientError) in
        try await store.withdrawPing(id)
      }
      $0.answer = {
        [store, hashing] (id: Ping.ID, passphrase: Secret<String>?) async throws(ClientError) in
        try await store.pass(.answerPings, passphrase, hashing)
        return try await store.answerPing(id)
      }
      $0.answerAll = { [store, hashing] (passphrase: Secret<String>?) async throws(ClientError) in
        try await store.pass(.answerPings, passphrase, hashing)
        return try await store.answerPing(nil)
      }
    }
  }

  var responseClient: ResponseClient {
    ResponseClient {
      $0.respond = { [store] (code: String) async throws(ClientError) in
        try await store.respond(code, isTyped: true)
      }
      $0.press = { [store] (code: String) async throws(ClientError) in
        try await store.respond(code, isTyped: false)
      }
      $0.look = { [store] (code: String) async throws(ClientError) in try await store.look(code) }
      $0.withdraw = { [store] (code: String, isTyped: Bool) async throws(ClientError) in
        try await store.withdraw(code, isTyped: isTyped)
      }
      $0.lookCheckIn = { [store] (code: String) async throws(ClientError) in
        try await store.lookCheckIn(code)
      }
      $0.checkIn = {
        [store, hashing] (code: String, passphrase: Secret<String>?) async throws(ClientError) in
        try await store.checkIn(byLink: code, passphrase, hashing)
      }
    }
  }

  var monitorClient: MonitorClient {
    MonitorClient {
      $0.heartbeat = {
        [store]
        (
          monitor: UUID, now: @escaping @Sendable () -> Date, lease: TimeSpan,
          problem: MonitorProblem?
        )
          async throws(StorageError) in
        try await store.heartbeat(monitor, now: now, lease: lease, problem: problem)
      }
      $0.resign = { [store] (monitor: UUID) async throws(StorageError) in
        try await store.resign(monitor)
      }
      $0.due = { [store] (now: Date, limit: Int) async throws(StorageError) in
        try await store.due(at: now, limit: limit)
      }
      $0.apply = { [store] (plans: [AccountPlan], now: Date) async throws(StorageError) in
        try await store.apply(plans, now: now)
      }
      $0.claim = {
        [store] (now: Date, lease: TimeSpan, request: ClaimRequest) async throws(StorageError) in
        try await store.claim(at: now, lease: lease, request)
      }
      $0.record = {
        [store]
        (delivery: UUID, token: UUID, outcome: DeliveryOutcome, retryAt: Date?, now: Date)
          async throws(StorageError) in
        try await store.record(
          together: PendingRecord(
            delivery: delivery, token: token, outcome: outcome, retryAt: retryAt, now: now))
      }
      $0.nextWake = { [store] () async throws(StorageError) in try await store.nextWake() }
      $0.spooled = { [store] in await store.spooled() }
      $0.takeSpooled = { [store] (alert: SpooledAlert) async throws(StorageError) in
        try await store.takeSpooled(alert)
      }
      $0.changes = { [store] in store.changes() }
    }
  }

  var storageClient: StorageClient {
    StorageClient {
      $0.document = { [store] (path: DocumentPath) async throws(StorageError) in
        try await store.document(path)
      }
      $0.setDocument = {
        [store] (path: DocumentPath, json: Data, expected: Int?) async throws(StorageError) in
        try await store.setDocument(path, json, expectedVersion: expected)
      }
      $0.updateDocument = { [store] (path: DocumentPath, json: Data) async throws(StorageError) in
        try await store.updateDocument(path, json)
      }
      $0.deleteDocument = { [store] (path: DocumentPath) async throws(StorageError) in
        try await store.deleteDocument(path)
      }
      $0.addDocument = {
        [store] (collection: CollectionPath, json: Data) async throws(StorageError) in
        try await store.addDocument(collection, json)
      }
      $0.batch = { [store] (writes: [DocumentWrite]) async throws(StorageError) in
        try await store.writeTogether(writes)
      }
      $0.increment = {
        [store] (path: DocumentPath, field: String, amount: Int) async throws(StorageError) in
        try await store.increment(path, field, by: amount)
      }
      $0.query = {
        [store] (collection: CollectionPath, query: DocumentQuery) async throws(StorageError) in
        try await store.query(collection, query)
      }
      $0.observeDocument = { [store] path in
        store.observe { store in try store.document(path) }
      }
      $0.observeCollection = { [store] collection, query in
        store.observe { store in try store.query(collection, query) }
      }
    }
  }
}
