import Clients
import Cryptography
import Domain
import FoundationEssentials

/// The routes that messages take (schema12.sql).
///
/// A route is a mail server with a login, or a service with a token. One that refuses access or asks
/// to wait holds up every message that takes it: a message that is retried by itself would get the
/// account locked, and there may be a hundred of them (CHN-2). Who waits for it is decided here, in
/// the transactions that claim and record, so that it holds for all monitors and after a restart.
extension Store {
  /// A route that doesn't work at present.
  struct HeldRoute {
    var until: Date
    var reason: String?
  }

  /// How a message goes.
  struct Way {
    /// `nil` for a message that nobody can be locked out for, or that isn't sent.
    var route: String?
    /// The mail server's name.
    var server: String?
  }

  // MARK: Claiming

  func heldRoutes() throws(StorageError) -> [String: HeldRoute] {
    let rows = try database.rows(
      "SELECT key, held_until, reason FROM route WHERE works_at IS NULL"
    ) { row throws(StorageError) -> (String, HeldRoute) in
      (try row.read(), HeldRoute(until: try row.read(), reason: try row.read()))
    }
    return Dictionary(rows, uniquingKeysWith: { $1 })
  }

  /// Leaves out mail, or all but one or two messages, while this monitor's login doesn't work or
  /// hasn't been seen to work.
  func limitMail(
    _ request: inout ClaimRequest, _ held: [String: HeldRoute], at now: Date
  ) throws(StorageError) {
    guard let mail = request.mail, request.kinds.contains(.email) else { return }
    let destination = Destination(kind: .email, address: "")
    if let route = held[mail.key] {
      if route.until > now { try explain(route, mail.key, to: destination) }
      request.limitMail(to: route.until > now ? 0 : 1)
    } else {
      let worksAt = try database.optionalValue(
        Date.self, "SELECT works_at FROM route WHERE key = ?1", mail.key)
      if abs(now.timeIntervalSince(worksAt ?? .distantPast)) > 3_600 {
        request.limitMail(to: ClaimRequest.untriedLogins)
      }
    }
    guard mail.isNew else { return }
    // What waits because of other settings doesn't wait any longer.
    try database.run(
      """
      UPDATE delivery SET not_before = ?3
      WHERE state = 'pending' AND destination = ?1 AND coalesce(route, '') <> ?2
        AND leased_until IS NULL AND not_before > ?3
        AND outcome IN ('misconfigured', 'access_refused')
      """, destination, mail.key, now)
  }

  /// Lets one mail try a refused login now, unless one is trying it.
  func retryMail() throws(StorageError) {
    try write(StorageError.self) {
      let now = now()
      let held = try database.column(
        String.self,
        """
        UPDATE route SET held_until = ?1
        WHERE works_at IS NULL AND probe IS NULL AND held_until > ?1 AND key IN (
          SELECT route FROM delivery INDEXED BY delivery_destination
          WHERE state = 'pending' AND destination = ?2)
        RETURNING key
        """, now, Self.mailDestination)
      for key in held { try release(key, Self.mailDestination, at: now) }
    }
  }

  /// Says of messages that were never tried why they wait, and for which route.
  private func explain(
    _ route: HeldRoute, _ key: String, to destination: Destination
  ) throws(StorageError) {
    guard let reason = route.reason else { return }
    let waiting = try database.rows(
      """
      SELECT key, account, \(Self.isHidden) FROM delivery INDEXED BY delivery_destination
      WHERE state = 'pending' AND destination = ?1 AND attempts = 0 AND last_error IS NULL LIMIT 500
      """, destination
    ) { row throws(StorageError) -> (key: Int, change: MessageChange) in
      (try row.read(), MessageChange(account: try row.read(), isHidden: try row.read()))
    }
    for message in waiting {
      try database.run(
        "UPDATE delivery SET last_error = ?2, route = coalesce(route, ?3) WHERE key = ?1",
        message.key, reason, key)
    }
    try touch(all: waiting.map(\.change), isDue: false)
  }

  func way(of delivery: ClaimedDelivery, _ request: ClaimRequest) -> Way {
    // A pretended attempt takes no route, and names the server as any other (ALT-8).
    let isPretended = delivery.pretendedResult != nil
    switch delivery.channel {
    case .desktop: return Way()
    case .email:
      return Way(route: isPretended ? nil : request.mail?.key, server: request.mail?.server)
    case .webhook, .ntfy, .service:
      guard !isPretended else { return Way() }
      let place = Destination(kind: delivery.channel, address: delivery.address)
      // Without a token there is no login, and what one address refuses says nothing of another.
      let login = delivery.secret.map { "token \($0.value)" } ?? "address \(delivery.address)"
      let text = "\(place.kind.rawValue) \(place.host)\n\(login)"
      return Way(route: Digest.sha256(text.utf8))
    }
  }

  /// Takes the route for a message that was chosen. If it is held, the message waits with it; if it
  /// can be tried again, this message tries it, and the others wait for its result.
  /// - Returns: Whether the message can be sent now.
  func enter(
    _ way: Way, by delivery: ClaimedDelivery, key: Int, _ held: inout [String: HeldRoute],
    at now: Date, until end: Date
  ) throws(StorageError) -> Bool {
    guard let name = way.route, let route = held[name] else { return true }
    guard route.until <= now else {
      try database.run(
        """
        UPDATE delivery SET not_before = ?2, route = ?3, last_error = coalesce(last_error, ?4)
        WHERE key = ?1
        """, key, route.until, name, route.reason)
      return false
    }
    held[name]?.until = end
    try database.run(
      "UPDATE route SET held_until = ?2, probe = ?3 WHERE key = ?1", name, end, delivery.token)
    return true
  }

  // MARK: While a message is sent

  /// Extends a claim, and with it the time for which a probe keeps the others waiting.
  func renew(
    _ delivery: UUID, token: UUID, until end: Date
  ) throws(StorageError) -> Bool {
    try write(StorageError.self, as: .queue) {
      let renewed = try database.rowsChanged(
        by: """
          UPDATE delivery SET leased_until = ?3, not_before = iif(state = 'pending', ?3, not_before)
          WHERE id = ?1 AND token = ?2
          """, delivery, token, end)
      try database.run(
        "UPDATE route SET held_until = max(held_until, ?2) WHERE probe = ?1", token, end)
      return renewed > 0
    }
  }

  // MARK: Recording

  /// A route as an attempt finds it when it ends.
  private struct Route {
    var refusals: Int
    var until: Date
    var isProbe: Bool
    var worksAt: Date?
  }

  /// Learns from an attempt whether its route works.
  func note(
    _ outcome: DeliveryOutcome, on name: String, to destination: String, begunAt: Date?,
    by token: UUID, at now: Date
  ) throws(StorageError) {
    let route = try database.row(
      """
      SELECT refusals, held_until, probe IS NOT NULL AND probe = ?2, works_at FROM route
      WHERE key = ?1
      """,
      name, token
    ) { row throws(StorageError) -> Route in
      Route(
        refusals: try row.read(), until: try row.read(), isProbe: try row.read(),
        worksAt: try row.read())
    }
    let isHeld = route.map { $0.worksAt == nil } ?? false
    let hasWorked = outcome.kind == .sent || outcome.kind == .ambiguous
    // Others were under way when the first of them was refused or told to wait.
    let isLate = isHeld && route.map { !$0.isProbe && $0.until > now } ?? false
    if isLate, !hasWorked || route?.refusals == 0 { return }
    let refusals = (route?.refusals ?? 0) + (outcome.kind == .accessRefused ? 1 : 0)
    // A mail server that asks to wait means one message; it has no way to mean all.
    let isWish = outcome.kind == .retry || outcome.kind == .limited
    if let pause = DeliveryPolicy.standard.pause(after: outcome, refusals: refusals),
      !isWish || destination != Self.mailDestination
    {
      // The same login has been accepted in the meantime – not later than now, by a clock that has
      // since been set back.
      if let worksAt = route?.worksAt, let begunAt, worksAt >= begunAt,
        worksAt <= now + WatchStatus.longestGap, outcome.kind == .accessRefused
      {
        return
      }
      try set(name, refusals: refusals, until: now + pause, worksAt: nil, outcome.reason)
    } else if hasWorked {
      guard route != nil || destination == Self.mailDestination else { return }
      try set(name, refusals: 0, until: now, worksAt: now, nil)
      if isHeld { try release(name, destination, at: now) }
    } else if route?.isProbe == true {
      // The probe told nothing about the login, so another message can try it.
      try database.run(
        "UPDATE route SET held_until = ?2, probe = NULL WHERE key = ?1", name, now)
    }
  }

  private static let mailDestination = "\(Channel.Kind.email.rawValue) "

  private func set(
    _ name: String, refusals: Int, until: Date, worksAt: Date?, _ reason: String?
  ) throws(StorageError) {
    try database.run(
      """
      INSERT INTO route (key, refusals, held_until, works_at, reason) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (key) DO UPDATE
      SET refusals = ?2, held_until = ?3, probe = NULL, works_at = ?4, reason = ?5
      """, name, refusals, until, worksAt, reason)
  }

  /// Lets everything go that waited for a route. What waits for reasons of its own goes on waiting:
  /// an unknown recipient, or a message that may have arrived.
  private func release(
    _ name: String, _ destination: String, at now: Date
  ) throws(StorageError) {
    try database.run(
      """
      UPDATE delivery SET not_before = ?3
      WHERE state = 'pending' AND destination = ?2 AND route = ?1 AND leased_until IS NULL
        AND not_before > ?3 AND coalesce(outcome, '') NOT IN ('ambiguous', 'permanent')
      """, name, destination, now)
  }

  /// Forgets routes that nothing has taken for a day, and lets none wait for a clock that was set
  /// back (ESC-5).
  func tidyRoutes() throws(StorageError) {
    // A monitor's time can be from before the clock was set, and what the store holds after it.
    let now = now()
    try database.run("DELETE FROM route WHERE held_until < ?1", now - .hours(24))
    let held = try database.rows("SELECT key, refusals, held_until FROM route") {
      row throws(StorageError) in
      (
        key: try row.read() as String, refusals: try row.read() as Int,
        until: try row.read() as Date
      )
    }
    for route in held
    where route.until > now + DeliveryPolicy.standard.longestPause(refusals: route.refusals) {
      try database.run("UPDATE route SET held_until = ?2 WHERE key = ?1", route.key, now)
    }
  }

  /// Tries the messages on a channel whose token was replaced.
  func retry(_ channel: Channel, account: Int, at now: Date) throws(StorageError) {
    try database.run(
      """
      UPDATE delivery SET not_before = ?4
      WHERE account = ?1 AND state = 'pending' AND channel = ?2 AND address = ?3
        AND leased_until IS NULL AND not_before > ?4
        AND coalesce(outcome, '') NOT IN ('ambiguous', 'permanent')
      """, account, channel.kind, channel.address, now)
  }
}
