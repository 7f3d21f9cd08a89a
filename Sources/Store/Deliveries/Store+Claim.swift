import Clients
package import Domain
import FoundationEssentials

/// Claiming messages for monitors.
///
/// Pending messages wait in lines (schema4.sql): calls before all else, and messages that were
/// never tried before those that were; within each of these classes, the first message of every
/// account, then the second of every account. An index keeps each line in the order of time, so
/// that a claim reads only what it takes, however much is due.
extension Store {
  // MARK: Choosing

  func claim(
    at now: Date, lease: TimeSpan, _ request: ClaimRequest
  ) throws(StorageError) -> [ClaimedDelivery] {
    guard request.limit > 0, !request.kinds.isEmpty else { return [] }
    return try write(StorageError.self, as: .queue) {
      var claimed: [ClaimedDelivery] = []
      var request = request
      var routes = try heldRoutes()
      try limitMail(&request, routes, at: now)
      let chosen = try chooseDue(at: now, request)
      var changes: [MessageChange] = []
      for (key, account) in chosen {
        do {
          let (found, alert) = try read(key, of: account)
          var delivery = found
          changes.append(MessageChange(account: account, isHidden: delivery.isHidden))
          guard try !cancelReassurance(delivery, key: key, of: account, at: now) else { continue }
          delivery.secret = try secret(for: delivery, account: account)
          delivery.mayReachPrivate = try mayReachPrivate(delivery, of: account)
          let way = way(of: delivery, request)
          guard try enter(way, by: delivery, key: key, &routes, at: now, until: now + lease)
          else { continue }
          try take(
            &delivery, key: key, alert: alert, of: account, on: way, at: now, until: now + lease)
          if let code = try makeCheckInCode(for: delivery, account: account) {
            delivery.code = code
          }
          claimed.append(delivery)
        } catch StorageError.serialization(let reason) {
          // Postponed, so that it doesn't hold up the others, and reported (ESC-6).
          try database.run(
            "UPDATE delivery SET not_before = ?2, last_error = ?3 WHERE key = ?1",
            key, now + .hours(1), reason)
          try database.run("UPDATE account SET fault = ?2 WHERE key = ?1", account, reason)
          changes.append(MessageChange(account: account, isHidden: false))
        }
      }
      try touch(all: changes, isDue: false)
      return claimed
    }
  }

  /// Walks the lines until enough is taken. If destinations are blocked, their messages are skipped
  /// one by one; after a few hundred, each of the other destinations is searched directly.
  private func chooseDue(
    at now: Date, _ request: ClaimRequest
  ) throws(StorageError) -> [(key: Int, account: Int)] {
    var choice = Choice(request)
    try walk(at: now, &choice)
    guard choice.hasGivenUp else { return choice.taken }
    // A fair share for each destination, then taken in the order of the lines.
    var heads: [Candidate] = []
    var destination = ""
    while let next = try nextDestination(after: destination) {
      destination = next
      // If one message to a destination is refused, all are.
      var share = Choice(choice.request, besides: choice.candidates, refusalLimit: 1)
      try walk(at: now, &share, destination: destination)
      heads += share.candidates
    }
    for candidate in heads.sorted(by: { $0.rank < $1.rank }) { choice.offer(candidate) }
    return choice.taken
  }

  private func nextDestination(after destination: String) throws(StorageError) -> String? {
    do {
      return try database.optionalValue(
        String.self,
        """
        SELECT min(destination) FROM delivery INDEXED BY delivery_destination
        WHERE state = 'pending' AND destination > ?1
        """, destination)
    } catch {
      guard case .serialization = error else { throw error }
      // An unreadable destination is given another name, under which it holds up nobody else
      // (ESC-6).
      try database.run(
        """
        UPDATE delivery SET destination = '~' || key
        WHERE state = 'pending' AND destination = (
          SELECT min(destination) FROM delivery INDEXED BY delivery_destination
          WHERE state = 'pending' AND destination > ?1)
        """, destination)
      return try nextDestination(after: destination)
    }
  }

  /// Offers what is due, line by line, until the choice wants no more.
  private func walk(
    at now: Date, _ choice: inout Choice, destination: String? = nil
  ) throws(StorageError) {
    let (index, condition) =
      destination == nil
      ? ("delivery_line", "?1 IS NULL") : ("delivery_destination", "destination = ?1")
    var line = 0
    while choice.wantsMore,
      let next = try database.optionalValue(
        Int.self,
        """
        SELECT min(min(line), \(Line.last + 1)) FROM delivery INDEXED BY \(index)
        WHERE state = 'pending' AND \(condition) AND line > ?2
        """, destination, line)
    {
      guard next <= Line.last else {
        // Nobody reads a line behind the last; its messages become the last of those never tried.
        try database.run(
          """
          UPDATE delivery SET line = \(200 + Line.turns)
          WHERE state = 'pending' AND line > \(Line.last)
          """)
        continue
      }
      line = next
      guard choice.wants(isRetry: Line.isRetry(line)) else {
        line = Line.end(ofClassOf: line)
        continue
      }
      try visitPages(
        first: choice.request.limit,
        """
        SELECT delivery.key, delivery.account, channel, address,
          max(not_before, 0)
        FROM delivery INDEXED BY \(index) CROSS JOIN account ON account.key = delivery.account
        WHERE delivery.state = 'pending' AND \(condition) AND line = ?2 AND not_before <= ?3
          AND account.attention_at > ?3
          AND NOT EXISTS (SELECT 1 FROM attention WHERE attention.account = account.key)
        ORDER BY not_before, delivery.key
        """, destination, line, now
      ) { row throws(StorageError) in
        choice.offer(try Candidate(reading: &row, line: line))
        return choice.wantsMore
      }
    }
  }

  /// Visits the rows of a query page by page, until the body returns `false`. An engine that
  /// returns whole results, or locks the rows it returns, isn't asked for ten thousand to take
  /// eight.
  private func visitPages(
    first size: Int, _ query: String, _ values: any SQLBindable...,
    body: (inout RowReader) throws(StorageError) -> Bool
  ) throws(StorageError) {
    var (seen, size, wantsMore) = (0, size, true)
    while wantsMore {
      var found = 0
      let page =
        "\(query) LIMIT ?\(values.count + 1) OFFSET ?\(values.count + 2) \(database.dialect.skippingLocked)"
      try database.visit(page, values: values + [size, seen]) { row throws(StorageError) in
        found += 1
        wantsMore = try body(&row)
        return wantsMore
      }
      seen += found
      guard found == size else { return }
      // Doubles each time, because the rows seen so far are read again.
      size = seen
    }
  }

  /// Returns the line of a new message: behind the messages of its account that were never tried.
  /// From the last turn on, all share one line, so that the lines stay few and an account with
  /// thousands of messages waits behind the others, not they behind it.
  func nextLine(of account: Int, isCall: Bool) throws(StorageError) -> Int {
    let first = isCall ? 1 : 201
    let end = first + Line.turns - 1
    let last = try database.optionalValue(
      Int.self,
      """
      SELECT max(line) FROM delivery INDEXED BY delivery_account_line
      WHERE account = ?1 AND state = 'pending' AND line BETWEEN ?2 AND ?3
      """, account, first, end)
    return min(end, (last ?? first - 1) + 1)
  }

  // MARK: Taking

  /// Reads a message before it is changed, so that a row that can't be read stays as it is.
  /// - Returns: The message, and the key of its alert.
  private func read(
    _ key: Int, of account: Int
  ) throws -> (delivery: ClaimedDelivery, alert: Int?) {
    let token = makeUUID()
    let delivery = try database.row(
      """
      SELECT delivery.id, delivery.attempts + 1, delivery.stage, delivery.recipient,
        delivery.recipient_name, delivery.channel, delivery.address, delivery.in_reply_to,
        delivery.detail, delivery.planned_at, delivery.alert, delivery.outcome,
        delivery.outcome_run, delivery.ambiguous,
        EXISTS (
          SELECT 1 FROM contact WHERE contact.account = account.key AND contact.roles & 1 <> 0
            AND contact.declined_at IS NULL)
        OR EXISTS (
          SELECT 1 FROM relation WHERE relation.state = 'active'
            AND (requester = account.key AND relation.roles & 1 <> 0
              OR addressee = account.key AND relation.roles & 2 <> 0)),
        \(CheckIn.lastSource(of: "account.key")),
        \(User.columns)
      FROM delivery JOIN account ON account.key = delivery.account WHERE delivery.key = ?1
      """, key
    ) { row throws(StorageError) -> (ClaimedDelivery, alert: Int?) in
      let id: UUID = try row.read()
      let attempt: Int = try row.read()
      let stage: Stage = try row.read()
      let recipient: Recipient = try row.read()
      let name: String = try row.read()
      let channel: Channel.Kind = try row.read()
      let address: String = try row.read()
      let inReplyTo: MessageID? = try row.read()
      let detail: String = try row.read()
      let plannedAt: Date = try row.read()
      let alert: Int? = try row.read()
      let last: String? = try row.read()
      let earlier = EarlierAttempts(
        last: last.flatMap(DeliveryOutcome.Kind.init), run: try row.read(),
        ambiguous: try row.read())
      let responders: Int = try row.read()
      let source: CheckIn.Source? = try row.read()
      var claimed = (
        ClaimedDelivery(
          id: id, token: token, attempt: attempt, stage: stage, recipient: recipient,
          recipientName: name, channel: channel, address: address, inReplyTo: inReplyTo,
          detail: detail, plannedAt: plannedAt, user: try User(reading: &row),
          hasResponders: responders > 0),
        alert
      )
      claimed.0.lastSource = source
      claimed.0.earlier = earlier
      return claimed
    }
    guard case (var claimed, var alert)? = delivery else { throw NoAccount() }
    if let about = alert {
      claimed.alert = try database.row(
        "SELECT \(Alert.columns) FROM alert WHERE key = ?1", about, read: Alert.init(reading:))
      claimed.isSilent = claimed.alert?.kind == .duress
      switch claimed.stage {
      // A responder who was called last reads who is responding (ESC-8).
      case .withdrawn, .nonResponsive:
        claimed.alert?.acknowledgements = try acknowledgements(of: about)
      default: break
      }
    }
    if let silent = try silentAlert(toldInPlaceOf: claimed, of: account) {
      claimed.replaceEnd(with: silent.alert)
      alert = silent.key
    }
    if let about = alert {
      claimed.followsDrill = try followsDrill(claimed, of: account)
      claimed.isAnotherAlertOn =
        try claimed.stage.isEnd && isAnotherAlertOn(of: account, than: about)
    }
    claimed.pretendedResult = try pretendedResult(for: claimed, of: account)
    try tellOfOuting(in: &claimed, of: account)
    return (claimed, alert)
  }

  private func take(
    _ claimed: inout ClaimedDelivery, key: Int, alert: Int?, of account: Int, on way: Way,
    at now: Date, until end: Date
  ) throws {
    claimed.code = try responseCode(for: claimed, alert: alert)
    claimed.isAnsweredInApp = try isAnsweredInApp(claimed, of: account)
    try database.run(
      """
      UPDATE delivery SET token = ?2, leased_until = ?3, not_before = ?3, attempts = attempts + 1,
        line = iif(attempts = 0, line + 100, line), doubtful = max(doubtful, 1 - recorded),
        recorded = 0, unsaid = ?4, begun_at = ?5, route = ?6, server = ?7
      WHERE key = ?1
      """, key, claimed.token, end, claimed.pretendedResult != nil || claimed.isInPlaceOfEnd, now,
      way.route, way.server)
  }

  /// Returns whether the recipient of a call sees the alert in their own app. Drills aren't shown
  /// there, and nobody signs in to a disabled account. For a silent alert, the app may be on the
  /// computer of the person who is being forced.
  private func isAnsweredInApp(
    _ delivery: ClaimedDelivery, of account: Int
  ) throws(StorageError) -> Bool {
    guard delivery.stage.isCall, delivery.alert?.kind != .drill,
      !delivery.isSilent, case .contact(let responder) = delivery.recipient
    else { return false }
    return try database.value(
      Int.self,
      """
      SELECT 1 FROM relation JOIN account AS peer ON peer.key = iif(requester = ?2, addressee, requester)
      WHERE relation.id = ?1 AND state = 'active' AND peer.disabled_at IS NULL
        AND (requester = ?2 AND roles & 1 <> 0 OR addressee = ?2 AND roles & 2 <> 0)
      """, responder, account) != nil
  }
}

/// The numbers of the lines, as schema4.sql counts them: a hundred for each class, and within it
/// one for each turn.
private enum Line {
  static let turns = 64
  static let last = 364
  static func isRetry(_ line: Int) -> Bool { line / 100 % 2 == 1 }
  static func end(ofClassOf line: Int) -> Int { line / 100 * 100 + 99 }
}

/// A message that is due.
private struct Candidate {
  var key: Int
  var account: Int
  /// The kind of the channel; empty if the message can't be read.
  var kind: String
  var address: String
  /// The milliseconds as stored: an invalid date is long past, or never comes.
  var notBefore: Int
  var line: Int

  /// Reads a message. One that can't be read gets an unknown kind, so that claiming it reports it
  /// (ESC-6).
  init(reading row: inout RowReader, line: Int) throws(StorageError) {
    key = try row.read()
    account = try row.read()
    kind = (try? row.read()) ?? ""
    let address: String? = try? row.read()
    if address == nil { kind = "" }
    self.address = address ?? ""
    notBefore = try row.read()
    self.line = line
  }

  var rank: (Int, Int, Int) { (line, notBefore, key) }
}

/// The messages that are taken from those offered, as long as the request has room.
private struct Choice {
  private(set) var request: ClaimRequest
  private(set) var candidates: [Candidate] = []
  /// How many more messages can be skipped.
  private var refusalsLeft: Int
  private let known: Set<Int>

  init(_ request: ClaimRequest, besides known: [Candidate] = [], refusalLimit: Int = 500) {
    self.request = request
    self.known = Set(known.map(\.key))
    refusalsLeft = refusalLimit
  }

  var taken: [(key: Int, account: Int)] { candidates.map { ($0.key, $0.account) } }
  var hasGivenUp: Bool { refusalsLeft == 0 && request.limit > 0 }
  var wantsMore: Bool { refusalsLeft > 0 && request.limit > 0 }
  func wants(isRetry: Bool) -> Bool { !isRetry || request.retryLimit > 0 }

  mutating func offer(_ candidate: Candidate) {
    guard !known.contains(candidate.key) else { return }
    // A message of an unknown kind is taken, so that it is reported.
    let isTaken = Channel.Kind(rawValue: candidate.kind).map {
      request.take($0, address: candidate.address, isRetry: Line.isRetry(candidate.line))
    }
    if isTaken ?? true { candidates.append(candidate) } else { refusalsLeft -= 1 }
  }
}

extension Destination: SQLBindable {
  package static var sqlKind: SQLKind { .text }
  package var sqlValue: SQLValue { .text("\(kind.rawValue) \(host)") }
}
