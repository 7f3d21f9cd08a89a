import Clients
import Domain
import FoundationEssentials

extension EmbeddedPlatform {
  var userClient: UserClient {
    UserClient(
      currentUser: { [store] () async throws(UserError) in try await store.currentUser() },
      updateProfile: {
        [store, hashing]
        (profile: Profile, password: Secret<String>?, passphrase: Secret<String>?)
          async throws(UserError) in
        try await store.updateProfile(profile, password, passphrase, hashing)
      },
      updateEscalation: {
        [store, hashing]
        (
          reminders: [TimeSpan], grace: TimeSpan, repeatInterval: TimeSpan,
          passphrase: Secret<String>?
        ) async throws(UserError) in
        try await store.pass(.weakenEscalation, UserError.self, passphrase, hashing) {
          try $0.user($1).isWeakened(
            byReminders: reminders, grace: grace, repeatInterval: repeatInterval)
        }
        return try await store.updateEscalation(reminders, grace, repeatInterval)
      },
      observeCurrentUser: { [store] in
        store.observeAccount(UserError.self) { store throws(UserError) in
          try store.currentUser()
        }
      })
  }

  var checkInClient: CheckInClient {
    CheckInClient(
      checkIn: {
        [store, hashing] (source: CheckIn.Source, passphrase: Secret<String>?)
          async throws(CheckInError) in
        try await store.pass(.checkIn, CheckInError.self, passphrase, hashing)
        return try await store.checkIn(source)
      },
      pause: {
        [store, hashing] (until: Date, passphrase: Secret<String>?) async throws(CheckInError) in
        try await store.pass(.pause, CheckInError.self, passphrase, hashing)
        return try await store.pause(until: until)
      },
      resume: {
        [store, hashing] (source: CheckIn.Source, passphrase: Secret<String>?)
          async throws(CheckInError) in
        try await store.pass(.resume, CheckInError.self, passphrase, hashing)
        return try await store.resume(source)
      },
      history: { [store] (limit: Int) async throws(CheckInError) in
        try await store.history(limit)
      },
      historySince: { [store] (start: Date) async throws(CheckInError) in
        try await store.history(since: start)
      },
      observeRecord: { [store] calendar in
        store.observeAccount(CheckInError.self) { store throws(CheckInError) in
          try store.record(calendar)
        }
      },
      updateInterval: {
        [store, hashing] (interval: CheckInInterval, passphrase: Secret<String>?)
          async throws(CheckInError) in
        try await store.pass(.lengthenInterval, CheckInError.self, passphrase, hashing) {
          interval.span > (try $0.user($1)).interval.span
        }
        return try await store.updateInterval(interval)
      },
      observeHistory: { [store] limit in
        store.observeAccount(CheckInError.self) { store throws(CheckInError) in
          try store.history(limit)
        }
      })
  }

  var contactsClient: ContactsClient {
    ContactsClient(
      contacts: { [store] () async throws(ContactsError) in try await store.contacts() },
      overview: { [store] (limit: Int, order: NameOrder) async throws(ContactsError) in
        try await store.contactOverview(naming: limit, order)
      },
      add: { [store] (draft: ContactDraft) async throws(ContactsError) in
        try await store.addContact(draft)
      },
      update: {
        [store, hashing] (read: Contact, draft: ContactDraft, passphrase: Secret<String>?)
          async throws(ContactsError) in
        // What was read and is not any more is refused afterwards.
        try await store.pass(.weakenContact, ContactsError.self, passphrase, hashing) { _, _ in
          read.isWeakened(by: draft)
        }
        return try await store.updateContact(read, draft)
      },
      delete: {
        [store, hashing] (id: Contact.ID, passphrase: Secret<String>?)
          async throws(ContactsError) in
        try await store.pass(.removeContact, ContactsError.self, passphrase, hashing)
        return try await store.deleteContact(id)
      },
      lookUp: { [store] (code: AccountCode) async throws(ContactsError) in
        try await store.lookUp(code)
      },
      request: { [store] (code: AccountCode, roles: Roles) async throws(ContactsError) in
        try await store.requestRelation(code, roles)
      },
      accept: { [store] (id: Contact.ID) async throws(ContactsError) in
        try await store.acceptRelation(id)
      },
      decline: { [store] (id: Contact.ID) async throws(ContactsError) in
        try await store.declineRelation(id)
      },
      declineByCode: { [store] (typed: Secret<String>) async throws(ContactsError) in
        try await store.declineByCode(typed)
      },
      setRoles: {
        [store, hashing] (id: Contact.ID, roles: Roles, passphrase: Secret<String>?)
          async throws(ContactsError) in
        try await store.pass(.removeRole, ContactsError.self, passphrase, hashing) {
          !roles.isSuperset(of: try $0.relation(id, of: $1, or: ContactsError.notFound).roles)
        }
        return try await store.setRoles(id, roles)
      },
      resetCode: { [store] () async throws(ContactsError) in try await store.resetCode() },
      observe: { [store] in
        store.observeAccount(ContactsError.self) { store throws(ContactsError) in
          try store.contacts()
        }
      })
  }

  var alertClient: AlertClient {
    AlertClient(
      raise: { [store] (message: String) async throws(AlertError) in
        try await store.raiseAlert(message)
      },
      arm: {
        [store] (id: Alert.ID, message: String, delay: TimeSpan) async throws(AlertError) in
        try await store.arm(id, message, delay)
      },
      disarm: { [store] (id: Alert.ID) async throws(AlertError) in try await store.disarm(id) },
      spool: {
        [store] (id: Alert.ID, message: String, delay: TimeSpan) async throws(AlertError) in
        try await store.keepInSpool(id, message, delay)
      },
      observeArmed: { [store] in
        // What waits in a file changes no revision of the account.
        store.observe { store in try store.observedArmed() }
      },
      cancel: { [store, hashing] (passphrase: Secret<String>?) async throws(AlertError) in
        _ = try await store.pass(.cancelAlert, AlertError.self, passphrase, hashing)
        return try await store.cancelAlert()
      },
      acknowledge: { [store] (id: Alert.ID) async throws(AlertError) in
        try await store.acknowledge(id)
      },
      drill: { [store] () async throws(AlertError) in try await store.beginDrill() },
      endDrill: { [store] () async throws(AlertError) in try await store.endDrill() },
      history: { [store] (limit: Int) async throws(AlertError) in try await store.alerts(limit) },
      observe: { [store] limit in
        store.observeAccount(AlertError.self) { store throws(AlertError) in
          try store.alerts(limit)
        }
      })
  }

  var pingClient: PingClient {
    PingClient(
      send: { [store] (contact: Contact.ID) async throws(PingError) in
        try await store.sendPing(contact)
      },
      withdraw: { [store] (id: Ping.ID) async throws(PingError) in
        try await store.withdrawPing(id)
      },
      answer: {
        [store, hashing] (id: Ping.ID, passphrase: Secret<String>?) async throws(PingError) in
        try await store.pass(.answerPings, PingError.self, passphrase, hashing)
        return try await store.answerPing(id)
      },
      answerAll: { [store, hashing] (passphrase: Secret<String>?) async throws(PingError) in
        try await store.pass(.answerPings, PingError.self, passphrase, hashing)
        return try await store.answerPing(nil)
      })
  }

  var responseClient: ResponseClient {
    ResponseClient(
      respond: { [store] (code: String) async throws(ResponseError) in
        try await store.respond(code, isTyped: true)
      },
      press: { [store] (code: String) async throws(ResponseError) in
        try await store.respond(code, isTyped: false)
      },
      look: { [store] (code: String) async throws(ResponseError) in try await store.look(code) })
  }

  var monitorClient: MonitorClient {
    MonitorClient(
      heartbeat: {
        [store]
        (
          monitor: UUID, now: @escaping @Sendable () -> Date, lease: TimeSpan,
          problem: MonitorProblem?
        )
          async throws(StorageError) in
        try await store.heartbeat(monitor, now: now, lease: lease, problem: problem)
      },
      resign: { [store] (monitor: UUID) async throws(StorageError) in
        try await store.resign(monitor)
      },
      due: { [store] (now: Date, limit: Int) async throws(StorageError) in
        try await store.due(at: now, limit: limit)
      },
      apply: { [store] (plans: [AccountPlan], now: Date) async throws(StorageError) in
        try await store.apply(plans, now: now)
      },
      claim: {
        [store] (now: Date, lease: TimeSpan, request: ClaimRequest) async throws(StorageError) in
        try await store.claim(at: now, lease: lease, request)
      },
      record: {
        [store]
        (delivery: UUID, token: UUID, outcome: DeliveryOutcome, retryAt: Date?, now: Date)
          async throws(StorageError) in
        try await store.record(
          together: PendingRecord(
            delivery: delivery, token: token, outcome: outcome, retryAt: retryAt, now: now))
      },
      nextWake: { [store] () async throws(StorageError) in try await store.nextWake() },
      spooled: { [store] in await store.spooled() },
      takeSpooled: { [store] (alert: SpooledAlert) async throws(StorageError) in
        try await store.takeSpooled(alert)
      },
      changes: { [store] in store.changes() })
  }

  var storageClient: StorageClient {
    StorageClient(
      document: { [store] (path: DocumentPath) async throws(StorageError) in
        try await store.document(path)
      },
      setDocument: {
        [store] (path: DocumentPath, json: Data, expected: Int?) async throws(StorageError) in
        try await store.setDocument(path, json, expectedVersion: expected)
      },
      updateDocument: { [store] (path: DocumentPath, json: Data) async throws(StorageError) in
        try await store.updateDocument(path, json)
      },
      deleteDocument: { [store] (path: DocumentPath) async throws(StorageError) in
        try await store.deleteDocument(path)
      },
      addDocument: { [store] (collection: CollectionPath, json: Data) async throws(StorageError) in
        try await store.addDocument(collection, json)
      },
      batch: { [store] (writes: [DocumentWrite]) async throws(StorageError) in
        try await store.writeTogether(writes)
      },
      increment: {
        [store] (path: DocumentPath, field: String, amount: Int) async throws(StorageError) in
        try await store.increment(path, field, by: amount)
      },
      query: {
        [store] (collection: CollectionPath, query: DocumentQuery) async throws(StorageError) in
        try await store.query(collection, query)
      },
      observeDocument: { [store] path in
        store.observe { store in try store.document(path) }
      },
      observeCollection: { [store] collection, query in
        store.observe { store in try store.query(collection, query) }
      })
  }
}
