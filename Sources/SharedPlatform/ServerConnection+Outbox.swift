package import Clients
import Composable
import Cryptography
package import Domain
import FoundationEssentials
import SQLite
import ServerProtocol
import Synchronization

/// Check-ins that are kept on this device until the server has answered (OFF-1).
extension ServerConnection {
  /// The server's decision about a check-in.
  enum Decision: Equatable {
    /// - user: The person as the server answered; `nil` if it had received the check-in before.
    case received(User?)
    case refused(ClientError)
    /// The server has a version that knows no check-ins that were kept.
    case unknown
    /// There was no answer, or none that decides.
    /// - isAway: Whether others wouldn't be answered, either.
    case waits(ClientError, isAway: Bool)
  }

  /// Checks in: writes a file, sends it, and leaves it there if the server doesn't answer.
  /// - Parameters:
  ///   - outing: The outing that it ends, or `nil` for a check-in alone.
  ///   - address: The address of the account that was requested; `nil` for the one that signed in
  ///     last.
  ///   - direct: Checks in without a file.
  /// - Throws: ``ClientError/queued(at:)`` if it waits.
  func checkIn(
    _ source: CheckIn.Source, ending outing: Outing.ID? = nil, as address: String?,
    direct: () async throws(ClientError) -> User,
    startSync: () -> Void
  ) async throws(ClientError) -> User {
    guard let outbox, let token = held.withLock({ $0 }) else { return try await direct() }
    let session = SecureToken(text: token).digest
    let passphrase = TypedSecrets.passphrase(for: .checkIn)
    guard passphrase != nil || !serverClock.hasGate(of: session) else {
      return try await checkInAskingForPassphrase(direct)
    }
    let (id, made) = (UUID(), serverClock.begin())
    // Only the server can tell whether it is right, so nothing to check it with is on this device
    // (OFF-4).
    let sealed = passphrase.flatMap { passphrase in
      serverClock.sealingKey(of: session).flatMap {
        SealedBox(passphrase.value, for: id, at: made.at, to: $0)
      }
    }
    guard passphrase == nil || sealed != nil,
      outbox.hasRoom(for: server.url, address, isGated: sealed != nil),
      let body = try? Route.kept(ending: outing)?.request(values: [outing ?? source, sealed]).body
    else { return try await direct() }
    let kept = OutboxFolder.Kept(
      id: id, server: server.url, address: address, session: owner(token),
      body: String(decoding: body, as: UTF8.self), made: made,
      isGated: sealed == nil ? nil : true, outing: outing)
    do throws(StorageError) { try outbox.keep(kept) } catch { return try await direct() }
    beingSent.withLock { _ = $0.insert(kept.id) }
    defer { beingSent.withLock { _ = $0.remove(kept.id) } }
    switch await send(kept, from: outbox, within: limits.checkIn) {
    case .received(let user?): return user
    case .received(nil): throw .requestRepeated
    case .refused(let error): throw error
    case .unknown: return try await direct()
    case .waits, nil:
      startSync()
      throw .queued(at: kept.made.wall)
    }
  }

  /// Checks in behind a gate before the passphrase was typed: a server that doesn't answer can't ask
  /// for it.
  private func checkInAskingForPassphrase(
    _ direct: () async throws(ClientError) -> User
  ) async throws(ClientError) -> User {
    guard !reach.state.isAway else { throw .gate(.required) }
    do throws(ClientError) { return try await direct() } catch {
      if case .storage = error { throw .gate(.required) }
      throw error
    }
  }

  /// Sends a check-in while no other program sends one, and removes it once that is decided.
  /// - Returns: `nil` if another program was sending all the time.
  private func send(
    _ kept: OutboxFolder.Kept, from outbox: OutboxFolder, within limit: Duration
  ) async -> Decision? {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      if let lock = outbox.takeLock() {
        defer { lock.give() }
        let decision = await decision(about: kept, within: ContinuousClock.now.duration(to: end))
        // Before the next program can send it again, and keep a refusal that was shown already.
        if case .waits = decision { return decision }
        outbox.remove(kept.id)
        return decision
      }
      guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return nil }
    }
    return nil
  }

  /// Sends all check-ins that wait, in the order in which they were made.
  package func sync(as address: String?) async -> [OfflineClient.Delivery] {
    guard let outbox, !outbox.entries(for: server.url, address).isEmpty,
      let lock = outbox.takeLock()
    else { return [] }
    defer { lock.give() }
    var deliveries: [OfflineClient.Delivery] = []
    for var kept in outbox.entries(for: server.url, address) where kept.refusal == nil {
      // Another program may have had it answered since.
      guard outbox.contains(kept) else { continue }
      switch await decision(about: kept, within: limits.write) {
      case .received(let user):
        outbox.remove(kept.id)
        deliveries.append(.init(checkIn: kept.checkIn, user: user, isReceived: true))
      case .refused(let error):
        kept.refusal = error.text
        // With its passphrase.
        kept.body = ""
        try? outbox.keep(kept)
        deliveries.append(.init(checkIn: kept.checkIn, isReceived: false, error: error.text))
      case .unknown:
        kept.refusal = ErrorText(
          "SERVER_TOO_OLD", "The server is too old for check-ins that were made offline.",
          recovery: "Check in again.")
        try? outbox.keep(kept)
        deliveries.append(
          .init(checkIn: kept.checkIn, isReceived: false, error: kept.refusal))
      case .waits(let error, let isAway):
        deliveries.append(.init(checkIn: kept.checkIn, isReceived: false, error: error.text))
        // One on which the server fails must not hold up those that were made later.
        if isAway { return deliveries }
      }
    }
    return deliveries
  }

  /// Sends a check-in, and decides what its answer means. Only what the server itself has said
  /// counts: a proxy's page, or a login page of a hotel, leaves it waiting.
  private func decision(
    about kept: OutboxFolder.Kept, within limit: Duration
  ) async -> Decision {
    // Sent in a later session, it would count for the person who signed in then.
    guard let token = held.withLock({ $0 }), owner(token) == kept.session else {
      return .refused(.sessionExpired)
    }
    guard let route = Route.kept(ending: kept.outing) else { return .unknown }
    let request = ServerRequest(
      route.method, "\(route.path)", body: Data(kept.body.utf8), idempotencyKey: kept.id)
    let headers = headers(token) + [("Idempotency-Key", kept.id.uuidString)]
    let (result, _) = await carryRepeatedly(within: limit, isWrite: true, token) { rest in
      self.request(
        request.method, request.target, headers: headers + [serverClock.keptHeader(kept.made)],
        body: request.body, within: rest)
    }
    do throws(NetworkError) {
      let answer = try read(try result.get())
      if endsSession(answer, to: request) {
        _ = noteEnd(of: token, by: answer)
        return .refused(ServerRefusal.error(of: answer))
      }
      if answer.status == 200, ServerRefusal.errorInBody(of: answer) == nil,
        let user = try? WireCoding.decodeAnswer(User.self, from: answer.body)
      {
        return .received(user)
      }
      if ServerRefusal.unknownRequest.isAnswer(answer) { return .unknown }
      let error = ServerRefusal.error(of: answer)
      // Its key is known, so it was done.
      if error == .requestRepeated { return .received(nil) }
      let isRefused =
        ServerRefusal.isOfRule(answer) || ServerRefusal.otherRequest.isAnswer(answer)
      if case .storage = error, ServerRefusal.isOfRule(answer) {
        return .waits(error, isAway: false)
      }
      return isRefused ? .refused(error) : .waits(error, isAway: false)
    } catch { return .waits(.storage(.network(error)), isAway: true) }
  }

  // MARK: What waits

  package func outbox(of address: String?) -> Outbox {
    // The caller that made one a moment ago gets the answer itself.
    let beingSent = beingSent.withLock(\.self)
    let entries = outbox?.entries(for: server.url, address) ?? []
    return Outbox(
      checkIns: entries.filter { !beingSent.contains($0.id) }.map(\.checkIn),
      alerts: waitingAlerts())
  }

  package func strangersInOutbox() -> [String] { outbox?.strangers(to: server.url) ?? [] }

  /// Removes a check-in that was refused.
  package func dismiss(_ id: Outbox.CheckIn.ID, as address: String?) {
    guard outbox(of: address).refused.contains(where: { $0.id == id }) else { return }
    outbox?.remove(id)
  }

  /// Returns what waits, now and after every change, and sends it in the meantime: when the server answers
  /// again, and every 15 s.
  func observeOutbox(of address: String?, _ requests: AlertRequests) -> AsyncStream<Outbox> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Outbox.self, bufferingPolicy: .bufferingNewest(1))
    guard let folder = outbox else {
      continuation.finish()
      return stream
    }
    let task = Task { [weak self, clock] in
      var seen: ([Int], Set<UUID>)?
      var last: Outbox?
      var wasConnected = false
      var seconds = 0
      while let self, !Task.isCancelled {
        let isConnected = reach.state == .connected
        if let last, last.hasWaiting,
          isConnected && !wasConnected || seconds.isMultiple(of: Self.syncInterval)
        {
          _ = await sendAlerts(requests)
          _ = await sync(as: address)
        }
        wasConnected = isConnected
        let key = (folder.signature, beingSent.withLock(\.self))
        if seen.map({ $0 != key }) ?? true {
          let present = outbox(of: address)
          if present != last { continuation.yield(present) }
          (seen, last) = (key, present)
        }
        seconds += 1
        guard (try? await clock.sleep(for: .seconds(1))) != nil else { return }
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// How often what waits is sent while the app runs, in seconds.
  private static let syncInterval = 15
}

extension Route {
  /// Returns the route of a check-in that was kept, or of *I'm back*.
  fileprivate static func kept(ending outing: Outing.ID?) -> Route? {
    outing == nil ? checkIn : back
  }

  private static let checkIn = all.first { $0.name == "CheckInClient.deliver" }
  private static let back = all.first { $0.name == "CheckInClient.endOuting" }
}
