import Clients
import Domain
import FoundationEssentials
import Testing

@testable import SQLite
@testable import Store

/// A row with impossible values doesn't keep other accounts from being watched.
@Suite("ESC-6: damaged rows", .timeLimit(.minutes(1)))
struct DamagedRowTests {
  /// Ida with two responders: Bo, who has no account, and Jo, who has one.
  private func cast(_ place: Place) async throws -> Opened {
    let store = try place.open()
    try await store.openAccount()
    try await befriend(store, "Jo", key: 2)
    return store
  }

  private func befriend(_ store: Opened, _ name: String, key: Int) async throws {
    _ = try await store.platform.openFurtherAccount(
      NewAccount(
        profile: Profile(
          name: name, phone: "+4930123456", email: "\(name.lowercased())@example.org")))
    try await store.sql(
      """
      INSERT INTO relation (key, id, requester, addressee, roles, state, created_at, answered_at)
      VALUES (\(key), '00000000-0000-0000-0000-00000000000\(key)', 1, \(key), 1, 'active', 0, 0)
      """)
  }

  private func reminder(
    _ minutes: Int, _ channel: Channel.Kind = .email, _ address: String = "ida@example.org"
  ) -> PlannedDelivery {
    PlannedDelivery(
      occasion: .deadline(sequence: 0), stage: .reminder(.minutes(minutes)), recipient: .owner,
      recipientName: "Ida", channel: channel, address: address)
  }

  /// Plans some messages for the first account, one for the second, and none for others.
  private func plan(
    _ store: Opened, _ place: Place, _ first: [PlannedDelivery], _ second: PlannedDelivery
  ) async throws {
    try await store.forgetDeliveries()
    for account in try await store.monitor.due(place.now, 10) {
      let isFirst = account.user.profile.name == "Ida"
      let plan = Plan(deliveries: isFirst ? first : [second])
      #expect(
        try await store.monitor.apply(plan, account.user.id, account.revision, place.now))
    }
  }

  // MARK: Deliveries

  @Test(
    "A delivery with an unreadable column is reported and doesn't hold up the others",
    arguments: ["address", "channel", "recipient_name", "detail"])
  func delivery(_ column: String) async throws {
    let place = try Place()
    let store = try await cast(place)
    try await plan(store, place, [reminder(1)], reminder(2))
    try await store.sql(
      "UPDATE delivery SET \(column) = CAST(x'ff' AS TEXT) WHERE stage = 'reminder:60'")
    let request = ClaimRequest(limit: 10)
    for hour in 0..<3 {
      #expect(try await store.monitor.nextWake() != nil)
      #expect(
        try await store.monitor.claim(place.now, .seconds(60), request).map(\.stage)
          == (hour == 0 ? [.reminder(.minutes(2))] : []))
      #expect(
        try await store.value(String.self, "SELECT fault FROM account WHERE key = 1")?
          .contains("“\(column)” holds an impossible value") == true)
      // Its account is checked every hour and put aside again, which makes the delivery claimable.
      try await store.sql("UPDATE delivery SET state = 'sent', finished_at = 0 WHERE account = 2")
      place.advance(.hours(1))
      _ = try await store.monitor.due(place.now, 10)
    }
  }

  @Test("A delivery whose time is impossible goes out at once", arguments: [-5, Int.min])
  func impossibleTime(_ time: Int) async throws {
    let place = try Place()
    let store = try await cast(place)
    try await plan(store, place, [reminder(1)], reminder(2))
    try await store.sql("UPDATE delivery SET not_before = \(time) WHERE stage = 'reminder:60'")
    #expect(try #require(try await store.monitor.nextWake()) <= place.now)
    let claimed = try await store.monitor.claim(place.now, .seconds(60), ClaimRequest(limit: 10))
    #expect(claimed.map(\.stage) == [.reminder(.minutes(1)), .reminder(.minutes(2))])
  }

  @Test("A delivery whose line number is out of range goes out", arguments: [365, 399, Int.max])
  func impossibleLine(_ line: Int) async throws {
    let place = try Place()
    let store = try await cast(place)
    try await plan(store, place, [reminder(1)], reminder(2))
    try await store.sql(
      """
      PRAGMA ignore_check_constraints = ON;
      UPDATE delivery SET line = \(line) WHERE stage = 'reminder:60';
      PRAGMA ignore_check_constraints = OFF
      """)
    let claimed = try await store.monitor.claim(place.now, .seconds(60), ClaimRequest(limit: 10))
    #expect(Set(claimed.map(\.stage)) == [.reminder(.minutes(1)), .reminder(.minutes(2))])
  }

  @Test("A message with an unreadable destination is claimed behind 520 waiting messages")
  func destination() async throws {
    let place = try Place()
    let store = try await cast(place)
    // More than are skipped before the destinations are queried one by one.
    try await plan(
      store, place, (1...520).map { reminder($0) },
      reminder(1, .ntfy, "https://ntfy.example.org/jo"))
    try await store.sql(
      """
      UPDATE delivery SET line = 264, destination = CAST(x'ff' AS TEXT) WHERE channel = 'ntfy'
      """)
    let request = ClaimRequest(limit: 10, kinds: [.ntfy])
    for channels in [[Channel.Kind.ntfy], []] {
      #expect(
        try await store.monitor.claim(place.now, .seconds(60), request).map(\.channel) == channels)
    }
  }

  // MARK: Numbers

  @Test(
    "An out-of-range number in an account crashes nothing and stops only that account",
    arguments: [
      "check_in_sequence = 9223372036854775807", "check_in_sequence = -9223372036854775808",
      "repeat_every = 0", "repeat_every = -1", "grace = 9223372036854775807", "grace = -86401",
      "revision = 9223372036854775807", "reminders = '[9223372036854775807]'",
      "reminders = '[-9223372036854775808]'", "last_check_in = 9223372036854775807",
      "paused_until = 9223372036854775807, paused_at = 0",
    ])
  func numbers(_ change: String) async throws {
    let place = try Place()
    let store = try await cast(place)
    try await store.sql(
      """
      PRAGMA ignore_check_constraints = ON;
      UPDATE account SET \(change), attention_at = 0 WHERE key = 1;
      PRAGMA ignore_check_constraints = OFF
      """)
    let due = try await store.monitor.due(place.now, 10)
    #expect(due.map(\.user.profile.name) == ["Jo"])
    #expect(try await store.value(String.self, "SELECT fault FROM account WHERE key = 1") != nil)
    _ = try? await store.checkIn.checkIn(.manual)
    _ = try? await store.checkIn.pause(place.now + .days(1))
    _ = try? await store.checkIn.updateInterval(CheckInInterval(.hours(8)))
    _ = try? await store.alerts.raise("help")
    _ = try? await store.user.currentUser().deadline.nextVisibleChange(after: place.now)
  }

  @Test("Out-of-range times in the check-in and alert histories give an error, not a crash")
  func spans() async throws {
    let place = try Place()
    let store = try await cast(place)
    try await store.sql(
      "UPDATE check_in SET margin = -9223372036854775808, sequence = 9223372036854775807")
    await #expect(throws: ClientError.self) { try await store.checkIn.history(10) }
    _ = try await store.alerts.raise("help")
    try await store.sql("UPDATE alert SET noticed_late_by = -9223372036854775808")
    await #expect(throws: ClientError.self) { try await store.alerts.history(10) }
  }

  // MARK: Responders

  @Test(
    "A responder with an unreadable name, phone or channel is still notified",
    arguments: [
      "UPDATE account SET name = CAST(x'ff' AS TEXT) WHERE key = 2",
      "UPDATE account SET phone = CAST(x'ff' AS TEXT) WHERE key = 2",
      """
      INSERT INTO channel (account, id, kind, address)
      VALUES (2, '00000000-0000-0000-0000-000000000009', 'pigeon', 'loft')
      """,
    ])
  func responder(_ damage: String) async throws {
    let place = try Place()
    let store = try await cast(place)
    try await store.sql(damage)
    let due = try await store.monitor.due(place.now, 10)
    #expect(due.map(\.user.profile.name) == ["Ida"])
    #expect(
      Set(due.flatMap(\.responders).flatMap(\.channels).map(\.address))
        == ["bo@example.org", "jo@example.org"])
    #expect(due.flatMap(\.responders).map(\.name).contains("") == false)
    // The fault is recorded for the account that the address belongs to.
    #expect(
      try await store.value(Int.self, "SELECT key FROM account WHERE fault IS NOT NULL") == 2)
  }

  @Test("A responder whose e-mail address can't be read is notified on the other channels")
  func responderAddress() async throws {
    let place = try Place()
    let store = try await cast(place)
    try await store.sql(
      """
      UPDATE account SET email = CAST(x'ff' AS TEXT) WHERE key = 2;
      INSERT INTO channel (account, id, kind, address)
      VALUES (2, '00000000-0000-0000-0000-000000000009', 'ntfy', 'https://ntfy.example.org/jo')
      """)
    let due = try await store.monitor.due(place.now, 10)
    #expect(due.map(\.user.profile.name) == ["Ida"])
    #expect(
      Set(due.flatMap(\.responders).flatMap(\.channels).map(\.address))
        == ["bo@example.org", "https://ntfy.example.org/jo"])
  }

  // MARK: Pings

  /// Sends Ida pings from some of her responders.
  private func ping(_ store: Opened, _ place: Place, from senders: [Int]) async throws {
    for sender in senders {
      try await store.sql(
        """
        INSERT INTO ping (id, relation, sender, sent_at, state)
        VALUES ('10000000-0000-0000-0000-00000000000\(sender)', \(sender), \(sender),
          \(place.now.milliseconds), 'open')
        """)
    }
  }

  @Test("PNG-1: an unreadable name keeps no ping from expiring and no heartbeat from working")
  func ping() async throws {
    let place = try Place()
    let store = try await cast(place)
    try await befriend(store, "Kim", key: 3)
    try await ping(store, place, from: [2, 3])
    try await store.sql("UPDATE account SET name = CAST(x'ff' AS TEXT) WHERE key = 2")
    place.advance(.hours(24))
    #expect(try await store.monitor.heartbeat(UUID(), place.now, .seconds(30), nil) == 0)
    #expect(
      try await store.value(Int.self, "SELECT count(*) FROM ping WHERE state = 'expired'") == 2)
    // Ida is notified of Kim's ping, and Jo and Kim of their own.
    for (account, subjects) in [(1, ["Kim"]), (2, ["Ida"]), (3, ["Ida"])] {
      let told = try await store.value(
        String.self,
        """
        SELECT coalesce(group_concat(subject), '') FROM notification
        WHERE account = \(account) AND kind = 'ping_expired'
        """)
      #expect(told == subjects.joined(separator: ","))
    }
  }

  @Test("Without a readable ping table, a monitor's heartbeat still works")
  func pings() async throws {
    let place = try Place()
    let store = try await cast(place)
    try await store.sql("DROP TABLE ping")
    for _ in 0..<2 {
      #expect(try await store.monitor.heartbeat(UUID(), place.now, .seconds(30), nil) >= 0)
    }
    #expect(try await store.watch.status().monitors == 2)
  }
}
