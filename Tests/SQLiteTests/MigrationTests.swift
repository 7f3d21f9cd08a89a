import Clients
import Domain
import FoundationEssentials
import Testing

@testable import SQLite
@testable import Store

@Suite("Migrations", .timeLimit(.minutes(1)))
struct MigrationTests {
  private static let next = Schema(
    scripts: Schema.current.scripts + [
      Array("ALTER TABLE account ADD COLUMN shoe_size INTEGER".utf8)
    ])

  @Test("An older store is migrated, and a copy of the old store is kept")
  func migrates() async throws {
    let place = try Place()
    let user = try await place.open().openAccount()
    let copy = place.folders.database + ".before-schema\(Self.next.version)"
    do {
      let store = try place.open(schema: Self.next)
      #expect(try await store.value(Int.self, "PRAGMA user_version") == Self.next.version)
      #expect(try await store.value(Int.self, "SELECT count(shoe_size) FROM account") == 0)
      #expect(try await store.user.currentUser() == user)
    }
    #expect(place.mode(copy) == 0o600)
    let old = try Database(path: PrivateFiles.resolved(copy), access: .immutable)
    #expect(try Schema.version(of: old) == Schema.current.version)
    #expect(try Schema.applicationID(of: old) == Schema.applicationID)
    #expect(try old.value(Int.self, "SELECT count(*) FROM account") == 1)
    #expect(
      throws: StorageError.newerSchema(found: Self.next.version, known: Schema.current.version)
    ) { try place.open() }
  }

  @Test("ESC-6: an impossible value in a row doesn't keep the store from being migrated")
  func impossibleRow() async throws {
    let place = try Place()
    do {
      let old = try place.open(schema: Schema(scripts: Array(Schema.current.scripts.prefix(5))))
      try await old.sql(
        """
        PRAGMA ignore_check_constraints = ON;
        INSERT INTO account (id, is_local, name, note, interval, grace, reminders,
          check_in_sequence, last_check_in, created_at, code)
        VALUES ('00000000-0000-0000-0000-000000000001', 1, 'Ida', '', 5, 900, '[]', 3,
          1795000000000, 1794000000000, '00000000-0000-0000-0000-000000000002');
        """)
    }
    let store = try place.open()
    #expect(try await store.value(Int.self, "SELECT interval FROM account") == 5)
    #expect(try await store.value(Int.self, "PRAGMA ignore_check_constraints") == 0)
  }

  @Test("A store of schema 1 keeps its person, contacts, alerts and deliveries")
  func fromFirst() async throws {
    let place = try Place()
    do {
      let first = try place.open(schema: Schema(scripts: [Schema.current.scripts[0]]))
      try await first.sql(
        """
        INSERT INTO account (key, id, is_local, name, note, email, interval, grace, reminders,
          check_in_sequence, last_check_in, created_at)
        VALUES (1, '00000000-0000-0000-0000-000000000001', 1, 'Ida', '', 'ida@example.org', 86400,
          900, '[1800]', 3, 1795000000000, 1794000000000);
        INSERT INTO contact (key, account, id, name, note, roles, added_at)
        VALUES (1, 1, '00000000-0000-0000-0000-000000000002', 'Bo', '', 1, 1794000000000);
        INSERT INTO channel (account, contact, id, kind, address)
        VALUES (1, 1, '00000000-0000-0000-0000-000000000003', 'email', 'bo@example.org');
        INSERT INTO alert (key, account, id, kind, message, raised_at)
        VALUES (1, 1, '00000000-0000-0000-0000-000000000004', 'manual', 'help', 1795000001000);
        INSERT INTO delivery (account, id, alert, stage, recipient, recipient_name, channel,
          address, planned_at, not_before)
        VALUES (1, '00000000-0000-0000-0000-000000000005', 1, 'alert_on',
          '00000000-0000-0000-0000-000000000002', 'Bo', 'email', 'bo@example.org',
          1795000001000, 1795000001000);
        """)
    }
    let store = try place.open()
    // AUTH-5: addresses from before the migration sign in.
    #expect(
      try await store.value(String.self, "SELECT sign_in_email FROM account") == "ida@example.org")
    let user = try await store.user.currentUser()
    #expect(user.profile.name == "Ida" && user.checkInSequence == 3)
    #expect(user.code.uuid != user.id && user.pausedUntil == nil && user.locks == [])
    #expect(try await store.contacts.contacts().map(\.email) == ["bo@example.org"])
    let report = try #require(try await store.alerts.history(5).first)
    #expect(report.alert.message == "help" && report.alert.isActive)
    #expect(report.deliveries.map(\.recipient) == ["Bo"])
    #expect(
      try await store.value(
        String.self, "SELECT kind || detail FROM notification WHERE length(id) = 36")
        == "alert_senthelp")
    #expect(place.exists(place.folders.database + ".before-schema2"))
    // Pending deliveries are in the call queue and can be claimed.
    #expect(
      try await store.value(String.self, "SELECT line || destination FROM delivery") == "1email ")
    let account = try await store.monitor.due(place.now, 1)[0]
    _ = try await store.monitor.apply(Plan(), user.id, account.revision, place.now)
    let claimed = try await store.monitor.claim(
      Date(milliseconds: 1_795_000_002_000), .seconds(60), ClaimRequest(limit: 9))
    #expect(claimed.map(\.stage) == [.alertOn])
  }

  @Test("CHN-3: after migrating schema 4 no topic is muted, and contacts' channels can't be muted")
  func fromFourth() async throws {
    let place = try Place()
    do {
      let fourth = try place.open(schema: Schema(scripts: Array(Schema.current.scripts[..<4])))
      try await fourth.sql(
        """
        INSERT INTO account (key, id, is_local, name, note, email, interval, grace, reminders,
          check_in_sequence, last_check_in, created_at, code)
        VALUES (1, '00000000-0000-0000-0000-000000000001', 1, 'Ida', '', 'ida@example.org', 86400,
          900, '[1800]', 3, 1795000000000, 1794000000000, '00000000-0000-0000-0000-000000000009');
        INSERT INTO contact (key, account, id, name, note, roles, added_at)
        VALUES (1, 1, '00000000-0000-0000-0000-000000000002', 'Bo', '', 1, 1794000000000);
        INSERT INTO channel (account, contact, id, kind, address)
        VALUES (1, 1, '00000000-0000-0000-0000-000000000003', 'email', 'bo@example.org'),
          (1, NULL, '00000000-0000-0000-0000-000000000004', 'desktop', 'desktop');
        """)
    }
    let store = try place.open()
    let own = try await store.channels.overview().own
    #expect(own.map(\.kind) == [.email, .desktop])
    #expect(try await store.channels.overview().muted.isEmpty)
    for channel in own { try await store.channels.setMuted(.reminders, channel.id, true) }
    #expect(
      try await store.channels.overview().muted.mutedEverywhere(among: own) == [.reminders])
    await #expect(throws: StorageError.self) {
      try await store.sql(
        """
        PRAGMA ignore_check_constraints = OFF;
        UPDATE channel SET muted_topics = 'reminders' WHERE contact = 1
        """)
    }
    // Unknown topics, as a newer version may write them, count as not muted.
    try await store.sql("UPDATE account SET muted_topics = 'weather pauses'")
    #expect(try await store.channels.overview().muted[own[0].id] == [.pauses])
  }

  @Test(
    "CHK-3: migrating schema 5 ends alerts cancelled under duress and hides what came after"
  )
  func fromFifth() async throws {
    let place = try Place()
    do {
      let fifth = try place.open(schema: Schema(scripts: Array(Schema.current.scripts[..<5])))
      try await fifth.sql(
        """
        INSERT INTO account (key, id, is_local, name, note, interval, grace, reminders,
          check_in_sequence, last_check_in, created_at, code)
        VALUES (1, '00000000-0000-0000-0000-000000000001', 1, 'Ida', '', 86400, 900, '[1800]', 3,
          1795000000000, 1794000000000, '00000000-0000-0000-0000-000000000009');
        INSERT INTO alert (key, account, id, kind, message, raised_at, concealed_at)
        VALUES (1, 1, '00000000-0000-0000-0000-000000000004', 'manual', 'help', 1795000001000,
            1795000002000),
          (2, 1, '00000000-0000-0000-0000-000000000005', 'duress', '', 1795000002000, NULL);
        INSERT INTO delivery (account, id, alert, stage, recipient, recipient_name, channel,
          address, planned_at, not_before)
        VALUES (1, '00000000-0000-0000-0000-000000000006', 1, 'alert_on',
            '00000000-0000-0000-0000-000000000002', 'Bo', 'email', 'bo@example.org',
            1795000001000, 1795000001000),
          (1, '00000000-0000-0000-0000-000000000007', 1, 'alert_on_again:1',
            '00000000-0000-0000-0000-000000000002', 'Bo', 'email', 'bo@example.org',
            1795003601000, 1795003601000);
        INSERT INTO acknowledgement (alert, responder, name, at)
        VALUES (1, '00000000-0000-0000-0000-000000000002', 'Bo', 1795003602000),
          (2, '00000000-0000-0000-0000-000000000002', 'Bo', 1795003602000);
        """)
    }
    let store = try place.open()
    let reports = try await store.alerts.history(5)
    #expect(reports.map(\.alert.resolvedAt) == [Date(milliseconds: 1_795_000_002_000)])
    #expect(reports[0].alert.acknowledgements.isEmpty)
    #expect(reports[0].deliveries.map(\.stage) == [.alertOn])
    let account = try #require(try await store.monitor.due(place.now, 1).first)
    #expect(account.alerts.map(\.isActive) == [false, true])
    #expect(account.alerts[1].acknowledgements.map(\.name) == ["Bo"])
  }

  @Test("After migrating schema 6, the store tracks which accounts have changed")
  func fromSixth() async throws {
    let place = try Place()
    do {
      let sixth = try place.open(schema: Schema(scripts: Array(Schema.current.scripts[..<6])))
      try await sixth.sql(
        """
        \(Self.account(isLocal: true))
        """)
    }
    let store = try place.open()
    #expect(place.exists(place.folders.database + ".before-schema7"))
    var users = store.user.observeCurrentUser().makeAsyncIterator()
    #expect(try await users.next()?.checkInSequence == 3)
    let due = try #require(try await store.monitor.due(place.now, 1).first)
    #expect(due.revision == 41)
    // A row in the attention table raises the revision, so a plan for the old one is refused.
    try await store.sql("INSERT INTO attention (account) VALUES (1)")
    #expect(try await !store.monitor.apply(Plan(), due.user.id, 41, place.now))
    #expect(try await store.monitor.apply(Plan(), due.user.id, 42, place.now))
    #expect(try await store.monitor.nextWake() == nil)
    #expect(try await store.checkIn.checkIn(.manual).checkInSequence == 4)
    #expect(try await users.next()?.checkInSequence == 4)
    #expect(try await store.value(Int.self, "SELECT count(DISTINCT account) FROM change") == 1)
  }

  @Test("CHK-8, PAGE-1: migrating schema 7 keeps responses and allows no check-in by link")
  func fromSeventh() async throws {
    let place = try Place()
    do {
      let seventh = try place.open(schema: Schema(scripts: Array(Schema.current.scripts[..<7])))
      try await seventh.sql(
        """
        \(Self.account(isLocal: true))
        INSERT INTO alert (key, account, id, kind, message, raised_at)
        VALUES (1, 1, '00000000-0000-0000-0000-000000000003', 'manual', '', 1795000001000);
        INSERT INTO acknowledgement (alert, responder, name, at)
        VALUES (1, '00000000-0000-0000-0000-000000000002', 'Bo', 1795000002000);
        """)
    }
    let store = try place.open()
    #expect(place.exists(place.folders.database + ".before-schema8"))
    #expect(try await !store.user.currentUser().locks.contains(.linkCheckIn))
    let words = try await store.alerts.history(1)[0].alert.acknowledgements
    #expect(words.map(\.name) == ["Bo"] && words[0].withdrawals == nil)
    #expect(try await store.user.allowLinkCheckIn(true).locks == .linkCheckIn)
  }

  @Test("Migrating schema 10 keeps an administrator's invitation, with no member as author")
  func fromTenth() async throws {
    let place = try Place()
    do {
      let tenth = try place.open(schema: Schema(scripts: Array(Schema.current.scripts[..<10])))
      try await tenth.sql(
        """
        INSERT INTO invite (code, created_at, expires_at, uses_left)
        VALUES ('ab', 1794000000000, 1895000000000, 2);
        """)
    }
    let store = try place.open()
    #expect(place.exists(place.folders.database + ".before-schema11"))
    #expect(
      try await store.value(
        Int.self,
        "SELECT uses_left FROM invite WHERE id IS NULL AND created_by IS NULL AND roles IS NULL")
        == 2)
  }

  /// Inserts Ida's account, whose deadline is a day after 1,795,000,000 s.
  private static func account(isLocal: Bool) -> String {
    """
    INSERT INTO account (key, id, is_local, name, note, interval, grace, reminders,
      check_in_sequence, last_check_in, created_at, code, revision)
    VALUES (1, '00000000-0000-0000-0000-000000000001', \(isLocal ? 1 : 0), 'Ida', '', 86400, 900,
      '[1800]', 3, 1795000000000, 1794000000000, '00000000-0000-0000-0000-000000000009', 41);
    """
  }

  @Test("ONB-2: migrating schema 11 leaves the address empty and the deadline unchanged")
  func fromEleventh() async throws {
    let place = try Place()
    do {
      let eleventh = try place.open(schema: Schema(scripts: Array(Schema.current.scripts[..<11])))
      try await eleventh.sql(
        """
        \(Self.account(isLocal: true))
        """)
    }
    let store = try place.open()
    #expect(place.exists(place.folders.database + ".before-schema17"))
    let user = try await store.user.currentUser()
    #expect(user.profile == Profile(name: "Ida"))
    #expect(user.deadline.date.timeIntervalSince1970 == 1_795_086_400)
    #expect(
      try await store.user.updateProfile(Profile(name: "Ida", address: "Ely")).profile.address
        == "Ely")
  }

  @Test("AUTH-1: migrating schema 12 keeps a mailed reset code and its expiry")
  func fromTwelfth() async throws {
    let place = try Place()
    do {
      let twelfth = try place.open(schema: Schema(scripts: Array(Schema.current.scripts[..<12])))
      try await twelfth.sql(
        """
        \(Self.account(isLocal: false))
        INSERT INTO password_reset (account, code, expires_at) VALUES (1, 'digest', 1795000600000);
        """)
    }
    let store = try place.open()
    #expect(
      try await store.value(
        Int.self,
        "SELECT account FROM reset_code WHERE code = 'digest' AND expires_at = 1795000600000") == 1)
    #expect(try await store.value(Int.self, "SELECT count(*) FROM password_reset") == 0)
  }

  @Test("A new store runs every migration and keeps no copy")
  func fresh() async throws {
    let place = try Place()
    let store = try place.open(schema: Self.next)
    try await store.openAccount()
    #expect(try await store.value(Int.self, "PRAGMA user_version") == Self.next.version)
    #expect(!place.exists(place.folders.database + ".before-schema\(Self.next.version)"))
  }

  @Test("A migration that fails leaves the store unchanged")
  func fails() async throws {
    let place = try Place()
    let user = try await place.open().openAccount()
    let broken = Schema(
      scripts: Schema.current.scripts + [
        Array("ALTER TABLE account ADD COLUMN shoe_size INTEGER; DROP TABLE nothing;".utf8)
      ])
    #expect(throws: StorageError.self) { try place.open(schema: broken) }
    let store = try place.open()
    #expect(try await store.value(Int.self, "PRAGMA user_version") == Schema.current.version)
    #expect(try await store.user.currentUser() == user)
    #expect(
      try await store.value(
        Int.self, "SELECT count(*) FROM pragma_table_info('account') WHERE name = 'shoe_size'")
        == 0)
  }
}
