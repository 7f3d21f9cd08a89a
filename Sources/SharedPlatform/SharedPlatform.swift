package import Clients
package import struct Composable.DependencyValues
import Cryptography
import Domain
import FoundationEssentials
import ServerProtocol

/// The clients of an app that has joined a server.
package struct SharedPlatform: Sendable {
  private let connection: ServerConnection
  private let address: String?
  private let startSync: @Sendable () -> Void

  /// - Parameters:
  ///   - address: The address of the account that was requested; `nil` for the one that signed in
  ///     last.
  ///   - startSync: Starts a program that sends what waits, even if this one ends.
  package init(
    _ connection: ServerConnection, address: String? = nil,
    startSync: @escaping @Sendable () -> Void = {}
  ) {
    self.connection = connection
    self.address = address
    self.startSync = startSync
  }

  /// Makes every client that uses accounts send requests to the server. What belongs to this
  /// machine stays as it is.
  package func install(in values: inout DependencyValues) {
    for route in Route.all { route.connect(to: connection, in: &values) }
    let name = connection.server.name
    values.accountHost = .server(name: name)
    // Deadlines, pauses and countdowns are shown as the server will judge them (ESC-5).
    values.dateClient.now = { [clock = connection.serverClock] in clock.nowOnServer }
    values.authClient.requestedAddress = { [address] in address }
    values.authClient.passGate = { _ async throws(ClientError) in
      throw .storage(.ofServer(name))
    }
    values.connectionClient = ConnectionClient { [connection] in
      $0.state = { connection.connection }
      $0.shownAsOf = { connection.shownAsOf }
      $0.clockLead = { connection.clockLead }
      $0.learnTime = { await connection.learnTime() }
      $0.observe = { connection.observeConnection() }
      $0.showLastKnown = { connection.showLastKnown() }
      $0.lastUser = { connection.lastKnown(User.self, page: Route.userPage) }
      $0.lastContacts = { connection.lastKnown([Contact].self, page: Route.contactsPage) }
      $0.lastNotifications = { limit in
        let page = Route.notificationsPage(limit)
        return page.flatMap { connection.lastKnown([NotificationItem].self, page: $0) } ?? []
      }
    }
    let contacts = values.contactsClient.$contacts.wrappedValue
    values.contactsClient.overview = { [connection] limit, order async throws(ClientError) in
      // The overview is shown before the list, which is read again after every change: what is
      // known will do.
      let known = connection.lastKnown([Contact].self, page: Route.contactsPage)
      let contacts = if let known { known } else { try await contacts() }
      return ContactOverview(order.listed(contacts, by: \.name), naming: limit)
    }
    let add = values.invitationClient.$add.wrappedValue
    values.invitationClient.create = { [connection] roles async throws(ClientError) in
      let code = connection.invitationCode(for: roles)
      let invitation = try await add(code.digest, roles)
      connection.forgetInvitationCode(for: roles)
      return NewInvitation(
        invitation, link: Secret(ServerLink(connection.server, code: code.text).text))
    }
    values.invitationClient.setInvitation = { [connection] typed async throws(ClientError) in
      try connection.show(invitation: typed)
    }
    let requests = keepAlerts(in: &values)
    keepCheckIns(in: &values, requests)
    observeRecord(in: &values)
    observeWatch(in: &values)
    // Only the account of a local store can have moved to a server.
    values.transferClient.movedTo = { () async throws(ClientError) in nil }
    // The server has its own monitors.
    values.watchClient.start = { () async throws(StorageError) in }
    values.watchClient.startAnother = { () async throws(StorageError) in }
    values.watchClient.retryMail = { () async throws(StorageError) in }
  }

  /// Keeps alerts until the server has received them (OFF-1). A monitor of this machine doesn't look
  /// after the server's alerts.
  private func keepAlerts(
    in values: inout DependencyValues
  ) -> ServerConnection.AlertRequests {
    let client = values.alertClient
    let calendar = values.dateClient.calendar
    let requests = ServerConnection.AlertRequests(
      arm: client.$arm.wrappedValue, disarm: client.$disarm.wrappedValue,
      describe: { calendar.describeForOthers($0) }, startSync: startSync)
    values.alertClient.arm = { [connection] (id, message, delay) async throws(ClientError) in
      try await connection.arm(id, message, delay, requests)
    }
    values.alertClient.disarm = { [connection] (id) async throws(ClientError) in
      try await connection.disarm(id, requests)
    }
    values.alertClient.spool = { [connection] (id, message, delay) async throws(ClientError) in
      try connection.spool(id, message, delay, requests)
    }
    let cancel = client.$cancel.wrappedValue
    values.alertClient.cancel = { [connection] () async throws(ClientError) in
      // Those that wait when the person cancels; one that is begun during the request is another.
      let waiting = connection.waitingAlerts()
      let alert = try await cancel()
      await connection.stop(waiting, requests)
      return alert
    }
    let observe = values.alertClient.$observeArmed.wrappedValue
    values.alertClient.observeArmed = { [connection] in connection.observeArmed(observe()) }
    return requests
  }

  /// Keeps check-ins until the server has received them (OFF-1).
  private func keepCheckIns(
    in values: inout DependencyValues, _ requests: ServerConnection.AlertRequests
  ) {
    let direct = values.checkInClient.$checkIn.wrappedValue
    values.checkInClient.checkIn = {
      [connection, address, startSync] (source) async throws(ClientError) in
      try await connection.checkIn(
        source, as: address, direct: { () async throws(ClientError) in try await direct(source) },
        startSync: startSync)
    }
    let endOuting = values.checkInClient.$endOuting.wrappedValue
    values.checkInClient.endOuting = {
      [connection, address, startSync] (outing) async throws(ClientError) in
      try await connection.checkIn(
        .outing, ending: outing, as: address,
        direct: { () async throws(ClientError) in try await endOuting(outing) },
        startSync: startSync)
    }
    // What is made in a session is sent in it.
    let signOut = values.authClient.$signOut.wrappedValue
    values.authClient.signOut = { [connection, address] () async throws(ClientError) in
      _ = await connection.sendAlerts(requests)
      _ = await connection.sync(as: address)
      try await signOut()
    }
    values.offlineClient = OfflineClient {
      [connection, address, startSync] in
      $0.startSync = startSync
      $0.outbox = { connection.outbox(of: address) }
      $0.observe = { connection.observeOutbox(of: address, requests) }
      $0.sendAlerts = { await connection.sendAlerts(requests) }
      $0.sync = { await connection.sync(as: address) }
      $0.dismiss = { connection.dismiss($0, as: address) }
      $0.strangers = { connection.strangersInOutbox() }
    }
  }

  /// Hides when a monitor was last seen. The server announces when a monitor comes or goes, but not
  /// every heartbeat: a time that only grows old here would look like a monitor that hangs.
  private func observeWatch(in values: inout DependencyValues) {
    let observe = values.watchClient.observe
    values.watchClient.observe = {
      .ofTask { continuation in
        for try await var status in observe() {
          if status.monitors > 0 { status.lastSeen = nil }
          continuation.yield(status)
        }
      }
    }
  }

  /// Computes the record of a year's check-ins here, with this machine's calendar.
  private func observeRecord(in values: inout DependencyValues) {
    let client = values.checkInClient
    let now = values.dateClient.now
    values.checkInClient.observeRecord = { [connection] calendar in
      .ofTask { continuation in
        if let known = connection.lastKnown([CheckIn].self, page: Route.historyPage) {
          continuation.yield(CheckInRecord(known, calendar: calendar))
        }
        for try await _ in client.observeHistory(1) {
          repeat {
            let checkIns = try await client.historySince(now() - CheckInRecord.length)
            continuation.yield(CheckInRecord(checkIns, calendar: calendar))
            // A page that was kept is read again: the last check-in may be the same once the server
            // answers.
          } while try await connection.answers(after: Route.historyPage)
        }
      }
    }
  }
}

extension StorageError {
  /// Returns the error for an operation that a machine leaves to the server it has joined.
  package static func ofServer(_ name: String) -> StorageError {
    .permissionDenied("this machine has joined the server \(name), which does that")
  }
}
