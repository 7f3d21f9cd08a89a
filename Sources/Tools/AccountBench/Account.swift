import Benching
import CSQLite
import Clients
import Glibc
import TerminalTesting

/// The size of the user's account. If work is counted, it is smaller: what grows with the account
/// shows all the same.
enum Account {
  /// A tenth of them have their own accounts. Two thirds are responders of the user, and the user
  /// responds for two thirds.
  static let contacts = Bench.isCounting ? 2_000 : 10_000
  /// One per hour, the shortest interval: eleven years.
  static let checkIns = Bench.isCounting ? 20_000 : 100_000
  static let notifications = Bench.isCounting ? 2_000 : 10_000

  /// The number of responders in the first complete frame.
  static let responders = contacts - contacts / 3
}

/// The number of responders who are sent the alert.
let recipientsOfAlert = Bench.isCounting ? 2_000 : 100_000

/// Creates an account with a large amount of everything.
func fill(_ home: BenchHome) throws { try fill(home, with: statements) }

/// Creates an account that has an alert on, with a message to each of its responders.
func fillWithAlert(_ home: BenchHome) throws { try fill(home, with: alertStatements) }

/// Creates the account with the program, then fills it with SQL in one transaction.
private func fill(_ home: BenchHome, with statements: String) throws {
  let program = try home.open("init", "--name", "Ada Lovelace", "--interval", "24h")
  guard try program.waitForExit() == .exited(0) else {
    throw Complaint("init failed:\n\(program.screen.text)")
  }
  var database: OpaquePointer?
  defer { sqlite3_close(database) }
  guard sqlite3_open(home.folders.database, &database) == SQLITE_OK,
    sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK
  else { throw Complaint(String(cString: sqlite3_errmsg(database))) }
}

/// Names repeat, followed by a number, because people's names do.
private let name = """
  json_extract('["Zoë","Ada","Bob","Mary","山田","Ole","Ida","Kim","Lea","Tom","Ana","Max"]',
    '$[' || (i * 7 % 12) || ']') || ' '
  || json_extract('["Lovelace","Hopper","Müller","Noether","太郎","Berg","Ito","Novák","Li"]',
    '$[' || (i * 5 % 9) || ']') || ' ' || (i * 7919 % 10000)
  """

private let statements = """
  BEGIN IMMEDIATE;
  CREATE TEMP TABLE moment AS SELECT unixepoch() * 1000 AS now;
  CREATE TEMP TABLE contact_number AS
    WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number
      WHERE i < \(Account.contacts)) SELECT i FROM number;

  INSERT INTO contact (account, id, name, phone, note, roles, added_at)
    SELECT 1, printf('%08x-0000-4000-8000-000000000001', i), \(name), '+4420' || (7000000 + i),
      'Key with the neighbour, no ' || i, i % 3 + 1, now - i * 60000
    FROM contact_number, moment WHERE i % 10 > 0;
  INSERT INTO channel (account, contact, id, kind, address)
    SELECT account, key, printf('%08x-0000-4000-8000-000000000002', key), 'email',
      'person' || key || '@example.org'
    FROM contact;
  INSERT INTO account (id, is_local, name, phone, note, email, interval, grace, reminders,
      check_in_sequence, last_check_in, created_at)
    SELECT printf('%08x-0000-4000-8000-000000000003', i), 0, \(name), '+4420' || (8000000 + i),
      'Penicillin', 'account' || i || '@example.org', 86400, 900, '[]', 1, now - i * 8000, now
    FROM contact_number, moment WHERE i % 10 = 0;
  INSERT INTO relation (id, requester, addressee, roles, state, created_at, answered_at)
    SELECT printf('%08x-0000-4000-8000-000000000004', key), 1, key, key % 3 + 1, 'active', now, now
    FROM account, moment WHERE is_local = 0;

  WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number
    WHERE i < \(Account.checkIns))
  INSERT INTO check_in (account, sequence, id, at, source, margin)
    SELECT 1, i, printf('%08x-0000-4000-8000-000000000005', i),
      now - (\(Account.checkIns) - i) * 3600000, 'manual', 82800 - i % 3000
    FROM number, moment;
  UPDATE account SET check_in_sequence = \(Account.checkIns), last_check_in = (SELECT now FROM moment)
    WHERE key = 1;

  WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number
    WHERE i < \(Account.notifications))
  INSERT INTO notification (account, id, kind, at, is_read, subject, detail)
    SELECT 1, printf('%08x-0000-4000-8000-000000000006', i),
      json_extract('["ping_answered","reminder","dependent_alert","roles_changed"]',
        '$[' || (i % 4) || ']'),
      now - (\(Account.notifications) - i) * 240000, i % 5 > 0, \(name), '30m'
    FROM number, moment;

  \(monitor)
  COMMIT;
  """

private let monitor = """
  -- A monitor that is said to live, so that none is started.
  INSERT INTO monitor (id, last_seen, leased_until)
    SELECT '00000000-0000-4000-8000-000000000007', now, now + 86400000 FROM moment;
  """

/// Half of the messages are sent; the others wait.
private let alertStatements = """
  BEGIN IMMEDIATE;
  CREATE TEMP TABLE moment AS SELECT unixepoch() * 1000 AS now;
  CREATE TEMP TABLE contact_number AS
    WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number
      WHERE i < \(recipientsOfAlert)) SELECT i FROM number;
  INSERT INTO contact (account, id, name, phone, note, roles, added_at)
    SELECT 1, printf('%08x-0000-4000-8000-000000000001', i), \(name), '+4420' || (7000000 + i),
      '', 1, now - i * 60000
    FROM contact_number, moment;
  INSERT INTO channel (account, contact, id, kind, address)
    SELECT account, key, printf('%08x-0000-4000-8000-000000000002', key), 'email',
      'person' || key || '@example.org'
    FROM contact;
  INSERT INTO alert (account, id, kind, message, raised_at)
    SELECT 1, '00000001-0000-4000-8000-000000000008', 'manual', 'fell', now FROM moment;
  INSERT INTO delivery (account, id, alert, stage, recipient, recipient_name, channel, address,
      planned_at, state, not_before, attempts, finished_at)
    SELECT 1, printf('%08x-0000-4000-8000-000000000009', contact.key), alert.key, 'alert_on',
      contact.id, contact.name, 'email', address, now,
      iif(contact.key % 2 = 0, 'sent', 'pending'), now + 86400000, contact.key % 2 = 0,
      iif(contact.key % 2 = 0, now, NULL)
    FROM contact JOIN channel ON channel.contact = contact.key, alert, moment;
  \(monitor)
  COMMIT;
  """
