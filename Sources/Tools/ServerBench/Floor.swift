import FoundationEssentials
import System

/// Measures what PostgreSQL achieves on this machine with only the statements of a check-in: those
/// of its single transaction, including the row of its key, run by pgbench as prepared statements.
enum Floor {
  struct Failure: Error { var reason: String }

  static func run(
    _ program: String, _ connection: String, connections: Int, seconds: Int,
    accounts: ClosedRange<Int>
  ) async throws -> Double {
    let options = [
      "search_path=lifesignal", "plan_cache_mode=force_generic_plan", "synchronous_commit=on",
    ]
    let result = await Subprocess.run(
      program,
      [
        "--no-vacuum", "--protocol=prepared", "--client=\(connections)",
        "--jobs=\(min(2, connections))", "--time=\(seconds)", "--max-tries=10", "--file=/dev/stdin",
        "--define=first=\(accounts.lowerBound)", "--define=last=\(accounts.upperBound)", connection,
      ], variables: ["PGOPTIONS": options.map { "-c \($0)" }.joined(separator: " ")],
      input: Array(script.utf8), outputLimit: 10_000, complaintLimit: 2_000,
      within: .seconds(seconds + 60))
    let words = String(decoding: result.output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard let index = words.firstIndex(of: "tps"), let rate = Double(words[index + 2]) else {
      throw Failure(reason: String(decoding: result.complaint, as: UTF8.self))
    }
    return rate
  }

  /// The statements of `CheckInClient.checkIn`, as a server logs them with `log_statement=all`.
  private static let script = #"""
    \set account random(:first, :last)
    BEGIN ISOLATION LEVEL SERIALIZABLE;
    SELECT account AS key, (extract(epoch FROM now()) * 1000)::bigint AS now FROM session
      WHERE account = :account AND expires_at > 1 \gset
    SELECT id, name, phone, note, email, interval, reminders, grace, repeat_every,
      check_in_sequence + 1 AS sequence, last_check_in, paused_until, paused_at,
      iif(grace_sequence = check_in_sequence, grace_from, NULL) AS grace_from, created_at, code,
      password IS NOT NULL AS has_password, coalesce(seeming_gate, gate, '') <> '' AS has_gate,
      password IS NOT NULL AND email <> sign_in_email COLLATE nocase AS is_unconfirmed, takes_links,
      picture, deleted_at FROM account WHERE key = :account \gset
    UPDATE account SET last_check_in = :now, check_in_sequence = :sequence WHERE key = :account;
    DELETE FROM check_in_code WHERE account = :account;
    UPDATE check_in SET at = :now, sequence = :sequence WHERE account = :account
      AND sequence = (SELECT max(sequence) FROM check_in WHERE account = :account)
      AND source <> 'link';
    UPDATE alert SET resolved_at = :now
      WHERE account = :account AND kind = 'missed' AND resolved_at IS NULL;
    UPDATE account SET revision = revision + 1, attention_at = 0 WHERE key = :account;
    INSERT INTO change (account) VALUES (:account);
    INSERT INTO change (account) SELECT addressee FROM relation WHERE requester = :account
      UNION SELECT requester FROM relation WHERE addressee = :account;
    SELECT id, name, phone, note, email, interval, reminders, grace, repeat_every,
      check_in_sequence, last_check_in, paused_until, paused_at,
      iif(grace_sequence = check_in_sequence, grace_from, NULL) AS grace_from, created_at, code,
      password IS NOT NULL AS has_password, coalesce(seeming_gate, gate, '') <> '' AS has_gate,
      password IS NOT NULL AND email <> sign_in_email COLLATE nocase AS is_unconfirmed, takes_links,
      picture, deleted_at FROM account WHERE key = :account;
    INSERT INTO request (account, id, digest, at, lasts, answer)
      VALUES (:account, gen_random_uuid()::text, repeat('0123456789abcdef', 4), :now, 1,
        repeat('the answer as JSON ', 16)) ON CONFLICT (account, id) DO NOTHING;
    COMMIT;
    """#
}
