import Clients
import Domain
import FoundationEssentials

extension Store {
  func standby() throws(ClientError) -> Standby {
    try read { try standby(of: requireCurrentKey()) }
  }

  /// Returns the standby of an account. Must be called within a transaction.
  func standby(of key: Int) throws(StorageError) -> Standby {
    try database.row(
      "SELECT heartbeat, topic FROM standby WHERE account = ?1", key
    ) { row throws(StorageError) in
      Standby(heartbeat: try row.read(), topic: try row.read())
    } ?? Standby()
  }

  func updateStandby(_ standby: Standby) throws(ClientError) {
    try write {
      let standby = try Standby(
        validating: standby.heartbeat ?? "", topic: standby.topic ?? "")
      let key = try requireCurrentKey()
      let before = try self.standby(of: key)
      try database.run(
        """
        INSERT INTO standby (account, heartbeat, topic) VALUES (?1, ?2, ?3)
        ON CONFLICT (account) DO UPDATE SET heartbeat = ?2, topic = ?3, may_be_private = 0
        """, key, standby.heartbeat, standby.topic)
      // What another service said says nothing about this one.
      if before.heartbeat != standby.heartbeat { try setAnswer(of: key, .heartbeat, to: nil) }
      if before.topic != standby.topic { try setAnswer(of: key, .message, to: nil) }
      return ()
    }
  }

  /// Returns what an account's standby said last; `nil` if it has none. Must be called within a
  /// transaction.
  func standbyStatus(of key: Int) throws(StorageError) -> StandbyStatus? {
    try database.row(
      """
      SELECT heartbeat, topic, heartbeat_answer, message_answer,
        iif(waiting_topic = topic, waiting_until, NULL)
      FROM standby WHERE account = ?1 AND (heartbeat IS NOT NULL OR topic IS NOT NULL)
      """, key
    ) { row throws(StorageError) in
      StandbyStatus(
        Standby(heartbeat: try row.read(), topic: try row.read()),
        heartbeatAnswer: try row.read(), topicAnswer: try row.read(), messageDate: try row.read())
    }
  }

  func recordStandbyAnswer(
    _ account: User.ID, _ part: StandbyDuty.Part, _ answer: String
  ) throws(StorageError) {
    try write(StorageError.self, .other) {
      let key = try database.optionalValue(
        Int.self, "SELECT key FROM account WHERE id = ?1", account)
      if let key { try setAnswer(of: key, part, to: answer) }
      return ()
    }
  }

  private func setAnswer(
    of key: Int, _ part: StandbyDuty.Part, to answer: String?
  ) throws(StorageError) {
    try database.run(
      "UPDATE standby SET \(part.rawValue)_answer = ?2 WHERE account = ?1", key, answer)
  }

  /// Returns what is to do for each standby. For an account that was deleted or is watched
  /// elsewhere, only the waiting message remains, to cancel it.
  func standbyDuties() throws(StorageError) -> [StandbyDuty] {
    try read(StorageError.self) {
      let found = try database.rows(
        """
        SELECT account.key, standby.heartbeat, standby.topic, standby.waiting_topic,
          standby.waiting_until, standby.heartbeat_answer, standby.message_answer,
          account.deleted_at IS NOT NULL OR account.watched_elsewhere = 1,
          standby.may_be_private, \(User.columns)
        FROM standby JOIN account ON account.key = standby.account ORDER BY account.key
        """
      ) { row throws(StorageError) -> (key: Int, duty: StandbyDuty) in
        let key: Int = try row.read()
        let standby = Standby(heartbeat: try row.read(), topic: try row.read())
        let topic: String? = try row.read()
        let date: Date? = try row.read()
        let heartbeat: String? = try row.read()
        let message: String? = try row.read()
        let isOver: Bool = try row.read()
        let mayReachPrivate: Bool = try row.read()
        let user = try User(reading: &row)
        var duty = StandbyDuty(
          account: user.id, name: user.profile.name, deadline: user.deadline,
          standby: isOver ? Standby() : standby,
          waiting: topic.flatMap { topic in date.map { WaitingMessage(topic: topic, date: $0) } },
          answers: [.heartbeat: heartbeat, .message: message].compactMapValues(\.self))
        duty.outing = user.outing
        duty.mayReachPrivate = mayReachPrivate
        return (key, duty)
      }
      let kinds = try responderKinds(of: found.filter { !$0.duty.standby.isNone }.map(\.key))
      return found.map { found in
        var duty = found.duty
        duty.kinds = kinds[found.key] ?? []
        return duty
      }
      .filter { !$0.standby.isNone || $0.waiting != nil }
    }
  }

  func recordStandby(_ account: User.ID, _ waiting: WaitingMessage?) throws(StorageError) {
    try write(StorageError.self, .other) {
      try database.run(
        """
        UPDATE standby SET waiting_topic = ?2, waiting_until = ?3
        WHERE account = (SELECT key FROM account WHERE id = ?1)
        """, account, waiting?.topic, waiting?.date)
      return ()
    }
  }
}

extension StoreClients {
  var standbyClient: StandbyClient {
    StandbyClient {
      $0.standby = { () async throws(ClientError) in try await store.standby() }
      $0.update = { standby async throws(ClientError) in
        let before = try await store.standby()
        try await pass(.changeStandby) { _, _ in before != standby }
        return try await store.updateStandby(standby)
      }
      $0.duties = { () async throws(StorageError) in try await store.standbyDuties() }
      $0.record = { account, waiting async throws(StorageError) in
        try await store.recordStandby(account, waiting)
      }
      $0.recordAnswer = { account, part, answer async throws(StorageError) in
        try await store.recordStandbyAnswer(account, part, answer)
      }
    }
  }
}
