import Clients
import Domain
import FoundationEssentials

extension StoreClients {
  var userClient: UserClient {
    UserClient {
      $0.currentUser = { () async throws(ClientError) in try await store.currentUser() }
      $0.updateProfile = updateProfile
      $0.updateEscalation = {
        reminders, grace, repeatInterval async throws(ClientError) in
        try await pass(.weakenEscalation) {
          try $0.user($1).isWeakened(
            byReminders: reminders, grace: grace, repeatInterval: repeatInterval)
        }
        return try await store.updateEscalation(reminders, grace, repeatInterval)
      }
      $0.allowLinkCheckIn = { isAllowed async throws(ClientError) in
        try await pass(.allowLinks) { _, _ in isAllowed }
        return try await store.allowLinkCheckIn(isAllowed)
      }
      $0.allowSigns = { isAllowed async throws(ClientError) in
        try await pass(.allowSigns) { _, _ in isAllowed }
        return try await store.allowSigns(isAllowed)
      }
      $0.observeCurrentUser = { store.observeAccount { try $0.currentUser() } }
    }
  }

  var checkInClient: CheckInClient {
    CheckInClient {
      $0.checkIn = { source async throws(ClientError) in
        // Before anything that can take long.
        let start = ContinuousClock.now
        try await pass(.checkIn)
        return try await store.checkIn(source, since: start)
      }
      $0.deliver = { source async throws(ClientError) in
        let start = ContinuousClock.now
        try await pass(.checkIn)
        return try await store.deliver(source, since: start)
      }
      $0.sign = { () async throws(ClientError) in try await store.sign(since: .now) }
      $0.pause = { until async throws(ClientError) in
        try await pass(.pause)
        return try await store.pause(until: until)
      }
      $0.resume = { source async throws(ClientError) in
        try await pass(.resume)
        return try await store.resume(source)
      }
      $0.history = { limit async throws(ClientError) in try await store.history(limit) }
      $0.historySince = { start async throws(ClientError) in try await store.history(since: start) }
      $0.observeRecord = { calendar in store.observeAccount { try $0.record(calendar) } }
      $0.updateInterval = { interval async throws(ClientError) in
        try await pass(.lengthenInterval) {
          let user = try $0.user($1)
          return user.isPostponed(by: user.checkingIn(every: interval), at: $0.now())
        }
        return try await store.updateInterval(interval)
      }
      $0.updateSchedule = { times async throws(ClientError) in
        try await pass(.laterSchedule) {
          let (user, now) = (try $0.user($1), $0.now().stored)
          return user.isPostponed(by: try user.changing(to: .setTimes(times), at: now), at: now)
        }
        return try await store.updateSchedule(times)
      }
      $0.startOuting = { draft async throws(ClientError) in
        // Decided once, so that nothing waits without the passphrase.
        let holds: @Sendable (isolated Store, Int) throws -> Bool = {
          try $0.holdsDeadline(draft, of: $1)
        }
        var checked = draft
        checked.holdsDeadline = try await store.isNeeded(holds)
        if checked.holdsDeadline { try await pass(.letDeadlineWait) }
        return try await store.startOuting(checked)
      }
      $0.extendOuting = { change async throws(ClientError) in
        try await pass(.extendOuting)
        return try await store.extendOuting(change)
      }
      $0.endOuting = { id async throws(ClientError) in
        let start = ContinuousClock.now
        try await pass(.checkIn)
        return try await store.endOuting(id, since: start)
      }
      $0.observeHistory = { limit in store.observeAccount { try $0.history(limit) } }
    }
  }

  var contactsClient: ContactsClient {
    ContactsClient {
      $0.contacts = { () async throws(ClientError) in try await store.contacts() }
      $0.overview = { limit, order async throws(ClientError) in
        try await store.contactOverview(naming: limit, order)
      }
      $0.add = { draft async throws(ClientError) in try await store.addContact(draft) }
      $0.update = { read, draft async throws(ClientError) in
        // A contact that has changed since it was read is refused afterwards.
        try await pass(.weakenContact) { _, _ in read.isWeakened(by: draft) }
        return try await store.updateContact(read, draft)
      }
      $0.delete = { id async throws(ClientError) in
        try await pass(.removeContact)
        return try await store.deleteContact(id)
      }
      $0.lookUp = { code async throws(ClientError) in try await store.lookUp(code) }
      $0.request = { code, roles async throws(ClientError) in
        try await store.requestRelation(code, roles)
      }
      $0.accept = { id async throws(ClientError) in try await store.acceptRelation(id) }
      $0.decline = { id async throws(ClientError) in try await store.declineRelation(id) }
      $0.declineByCode = { typed async throws(ClientError) in try await store.declineByCode(typed) }
      $0.setRoles = { id, roles async throws(ClientError) in
        try await pass(.removeRole) {
          !roles.isSuperset(of: try $0.relation(id, of: $1, or: ClientError.contactNotFound).roles)
        }
        return try await store.setRoles(id, roles)
      }
      $0.setWait = { id, span async throws(ClientError) in
        try await pass(.delayResponder) { try span > $0.responder(id, of: $1).waitSpan }
        return try await store.setWait(id, span)
      }
      $0.setCheckInNews = { id, isWanted async throws(ClientError) in
        try await store.setCheckInNews(id, isWanted)
      }
      $0.resetCode = { () async throws(ClientError) in try await store.resetCode() }
      $0.observe = { store.observeAccount { try $0.contacts() } }
    }
  }

  var invitationClient: InvitationClient {
    InvitationClient {
      $0.invitations = { () async throws(ClientError) in try await store.invitations() }
      // The client of a server makes the code itself.
      $0.create = { _ async throws(ClientError) in throw .invitationsNeedServer }
      $0.setInvitation = { _ async throws(ClientError) in throw .invitationsNeedServer }
      $0.add = { digest, roles async throws(ClientError) in
        try await store.addInvitation(digest, roles)
      }
      $0.revoke = { id async throws(ClientError) in try await store.revokeInvitation(id) }
      $0.offer = { () async throws(ClientError) in try await store.invitationOffer() }
      $0.observe = { store.observeAccount { try $0.invitations() } }
    }
  }

  var alertClient: AlertClient {
    AlertClient {
      $0.raise = { message async throws(ClientError) in try await store.raiseAlert(message) }
      $0.arm = { id, message, delay async throws(ClientError) in
        try await store.arm(id, message, delay)
      }
      $0.disarm = { id async throws(ClientError) in try await store.disarm(id) }
      $0.spool = { id, message, delay async throws(ClientError) in
        try await store.keepInSpool(id, message, delay)
      }
      // A file that waits changes no revision of the account.
      $0.observeArmed = { store.observe { try $0.observedArmed() } }
      $0.cancel = { () async throws(ClientError) in
        try await pass(.cancelAlert)
        return try await store.cancelAlert()
      }
      $0.acknowledge = { id async throws(ClientError) in try await store.acknowledge(id) }
      $0.withdraw = { id async throws(ClientError) in try await store.withdraw(id) }
      $0.drill = { () async throws(ClientError) in try await store.beginDrill() }
      $0.endDrill = { () async throws(ClientError) in try await store.endDrill() }
      $0.history = { limit async throws(ClientError) in try await store.alerts(limit) }
      $0.observe = { limit in store.observeAccount { try $0.alerts(limit) } }
    }
  }

  var pingClient: PingClient {
    PingClient {
      $0.send = { contact async throws(ClientError) in try await store.sendPing(contact) }
      $0.withdraw = { id async throws(ClientError) in try await store.withdrawPing(id) }
      $0.answer = { id async throws(ClientError) in
        try await pass(.answerPings)
        return try await store.answerPing(id)
      }
      $0.answerAll = { () async throws(ClientError) in
        try await pass(.answerPings)
        return try await store.answerPing(nil)
      }
    }
  }

  var responseClient: ResponseClient {
    ResponseClient {
      $0.respond = { code async throws(ClientError) in
        try await store.respond(code, isTyped: true)
      }
      $0.respondByLink = { code async throws(ClientError) in
        try await store.respond(code, isTyped: false)
      }
      $0.invitation = { code async throws(ClientError) in try await store.invitation(for: code) }
      $0.withdraw = { code, isTyped async throws(ClientError) in
        try await store.withdraw(code, isTyped: isTyped)
      }
      $0.checkInLink = { code async throws(ClientError) in try await store.checkInLink(code) }
      $0.checkIn = { code async throws(ClientError) in try await checkIn(byLink: code) }
    }
  }

  var monitorClient: MonitorClient {
    MonitorClient {
      $0.heartbeat = { monitor, now, lease, problem async throws(StorageError) in
        try await store.heartbeat(monitor, now: now, lease: lease, problem: problem)
      }
      $0.resign = { monitor async throws(StorageError) in try await store.resign(monitor) }
      $0.due = { now, limit async throws(StorageError) in
        try await store.due(at: now, limit: limit)
      }
      $0.apply = { plans, now async throws(StorageError) in try await store.apply(plans, now: now) }
      $0.claim = { now, lease, request async throws(StorageError) in
        try await store.claim(at: now, lease: lease, request)
      }
      $0.renew = { delivery, token, end async throws(StorageError) in
        try await store.renew(delivery, token: token, until: end)
      }
      $0.record = { delivery, token, outcome, retryAt, now async throws(StorageError) in
        try await store.record(
          batching: PendingRecord(
            delivery: delivery, token: token, outcome: outcome, retryAt: retryAt, now: now))
      }
      $0.moveChannel = { delivery, token, address async throws(StorageError) in
        try await store.moveChannel(of: delivery, token, to: address)
      }
      $0.nextWake = { () async throws(StorageError) in try await store.nextWake() }
      $0.spooled = { await store.spooled() }
      $0.takeSpooled = { alert async throws(StorageError) in try await store.takeSpooled(alert) }
      $0.changes = store.changes
    }
  }

  var storageClient: StorageClient {
    StorageClient {
      $0.document = { path async throws(StorageError) in try await store.document(path) }
      $0.setDocument = { path, json, expected async throws(StorageError) in
        try await store.setDocument(path, json, expectedVersion: expected)
      }
      $0.updateDocument = { path, json async throws(StorageError) in
        try await store.updateDocument(path, json)
      }
      $0.deleteDocument = { path async throws(StorageError) in
        try await store.deleteDocument(path)
      }
      $0.addDocument = { collection, json async throws(StorageError) in
        try await store.addDocument(collection, json)
      }
      $0.batch = { writes async throws(StorageError) in try await store.writeTogether(writes) }
      $0.increment = { path, field, amount async throws(StorageError) in
        try await store.increment(path, field, by: amount)
      }
      $0.query = { collection, query async throws(StorageError) in
        try await store.query(collection, query)
      }
      $0.observeDocument = { path in store.observe { try $0.document(path) } }
      $0.observeCollection = { collection, query in
        store.observe { try $0.query(collection, query) }
      }
    }
  }
}
