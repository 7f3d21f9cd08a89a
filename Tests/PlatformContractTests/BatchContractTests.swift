import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("StorageClient: batch, transaction, increment", .timeLimit(.minutes(2)))
struct BatchContractTests {
  private let one: DocumentPath
  private let two: DocumentPath
  private let three: DocumentPath

  init() throws {
    one = try CollectionPath.drafts.document("one")
    two = try CollectionPath.drafts.document("two")
    three = try CollectionPath.drafts.document("three")
  }

  private func json(_ text: String) -> Data { Data(text.utf8) }

  /// The documents as `id version json`.
  private func contents(_ world: World) async throws -> [String] {
    try await world.storage.query(.drafts, .all).map {
      "\($0.path.id) \($0.version) \(String(decoding: $0.json, as: UTF8.self))"
    }
  }

  // MARK: Batch

  @Test("A batch applies all of its writes in order", arguments: Platform.everywhere)
  func batch(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    _ = try await world.storage.setDocument(two, json(#"{"a":1,"n":1}"#), nil)
    _ = try await world.storage.setDocument(three, json("{}"), nil)
    let read = try await world.storage.document(two)
    try await world.storage.batch([
      .require(two, read), .require(one, nil),
      .set(one, json(#"{"n":1}"#)), .set(one, json(#"{"n":5}"#)),
      .increment(one, field: "n", by: 2), .update(two, json(#"{"a":null,"n":2}"#)),
      .delete(three), .delete(three),
    ])
    #expect(try await contents(world) == [#"one 3 {"n":7}"#, #"two 2 {"n":2}"#])
    try await world.storage.batch([])
    #expect(try await contents(world).count == 2)
  }

  @Test(
    "A batch with one failing write changes nothing",
    arguments: Platform.everywhere, [0, 1, 2, 3, 4, 5])
  func failingBatch(_ platform: Platform, _ index: Int) async throws {
    let world = try await World.withDocuments(platform)
    _ = try await world.storage.setDocument(two, json(#"{"n":"text"}"#), nil)
    let before = try await contents(world)
    let stale = Document(path: two, version: 1, json: json("{}"))
    let cases: [(DocumentWrite, StorageError)] = [
      (.require(two, nil), .conflict("drafts/two")),
      (.require(two, stale), .conflict("drafts/two")),
      (.require(three, stale), .conflict("drafts/three")),
      (.set(three, json("[]")), .serialization("a document is a JSON object")),
      (.update(three, json("{}")), .documentNotFound("drafts/three")),
      (
        .increment(two, field: "n", by: 1),
        .serialization("drafts/two: “n” isn't a whole number")
      ),
    ]
    let (failing, error) = cases[index]
    var documents = world.storage.observeCollection(.drafts, .all).makeAsyncIterator()
    _ = try await documents.next()
    await expect(error) { () throws(StorageError) in
      try await world.storage.batch([
        .set(one, json(#"{"n":1}"#)), .delete(two), .set(two, json(#"{"n":"text"}"#)),
        .update(two, json(#"{"x":1}"#)), failing, .set(three, json("{}")),
      ])
    }
    #expect(try await contents(world) == before)
    // Observers don't see it either: their next element is the next change.
    _ = try await world.storage.setDocument(one, json(#"{"n":9}"#), nil)
    #expect(try await documents.next()?.map(\.path.id) == ["one", "two"])
  }

  @Test("A batch of more than 500 writes is refused", arguments: Platform.everywhere)
  func limit(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let writes = (0...DocumentWrite.limit).map { _ in DocumentWrite.set(one, json("{}")) }
    await expect(StorageError.serialization("a batch holds at most 500 writes")) {
      () throws(StorageError) in try await world.storage.batch(writes)
    }
    #expect(try await contents(world) == [])
    try await world.storage.batch(Array(writes.dropLast()))
    #expect(try await contents(world) == ["one 500 {}"])
  }

  // MARK: Transaction

  @Test(
    "A transaction's writes are applied together, and none if the transaction throws",
    arguments: Platform.everywhere)
  func transaction(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let (one, two) = (one, two)
    _ = try await world.storage.setDocument(one, json(#"{"n":1}"#), nil)
    let moved = try await world.storage.transaction {
      (transaction) async throws(StorageError) -> Bool in
      guard let document = try await transaction.document(one),
        try await transaction.document(two) == nil
      else { return false }
      transaction.set(two, document.json)
      transaction.delete(one)
      return true
    }
    #expect(moved)
    #expect(try await contents(world) == [#"two 1 {"n":1}"#])
    await expect(StorageError.full) { () throws(StorageError) in
      try await world.storage.transaction { (transaction) async throws(StorageError) in
        transaction.delete(two)
        throw .full
      }
    }
    #expect(try await contents(world).count == 1)
  }

  @Test(
    "A transaction whose document changed in the meantime runs again with the new version",
    arguments: Platform.everywhere)
  func retry(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let other = try world.second()
    let (one, text) = (one, json(#"{"n":1}"#))
    _ = try await world.storage.setDocument(one, json(#"{"n":0}"#), nil)
    let seen = try await world.storage.transaction {
      (transaction) async throws(StorageError) -> Int in
      let version = try await transaction.document(one)?.version ?? 0
      // Repeated reads return the same version.
      if version == 1 { _ = try await other.storage.setDocument(one, text, nil) }
      let again = try await transaction.document(one)?.version
      transaction.update(one, Data(#"{"seen":\#(again ?? 0)}"#.utf8))
      return version
    }
    #expect(seen == 2)
    #expect(try await contents(world) == [#"one 3 {"n":1,"seen":2}"#])
  }

  @Test(
    "A document deleted and written again conflicts, even with the same version number",
    arguments: Platform.everywhere)
  func anotherDocument(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let other = try world.second()
    let (one, text) = (one, json(#"{"by":"other"}"#))
    _ = try await world.storage.setDocument(one, json(#"{"by":"me"}"#), nil)
    await expect(StorageError.conflict("drafts/one")) { () throws(StorageError) in
      try await world.storage.transaction(attempts: 1) {
        (transaction) async throws(StorageError) in
        _ = try await transaction.document(one)
        try await other.storage.deleteDocument(one)
        _ = try await other.storage.setDocument(one, text, nil)
        transaction.update(one, Data(#"{"n":1}"#.utf8))
      }
    }
    #expect(try await contents(world) == [#"one 1 {"by":"other"}"#])
  }

  @Test(
    "A transaction that loses to other writers five times fails with a conflict",
    arguments: Platform.everywhere)
  func attempts(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let other = try world.second()
    let one = one
    _ = try await world.storage.setDocument(one, json(#"{"n":0}"#), nil)
    await expect(StorageError.conflict("drafts/one")) { () throws(StorageError) in
      try await world.storage.transaction { (transaction) async throws(StorageError) in
        _ = try await transaction.document(one)
        _ = try await other.storage.increment(one, "n", 1)
        transaction.delete(one)
      }
    }
    #expect(try await contents(world) == [#"one 6 {"n":5}"#])
  }

  @Test("Concurrent increments and transactions lose no write", arguments: Platform.everywhere)
  func race(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let writers = try [world, world.second(), world.second(), world.second()]
    let one = one
    _ = try await world.storage.setDocument(one, json(#"{"n":0,"by":0}"#), nil)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in writers {
        group.addTask {
          for _ in 1...10 {
            _ = try await writer.storage.increment(one, "n", 1)
            try await writer.storage.transaction(attempts: 1_000) {
              (transaction) async throws(StorageError) in
              guard let document = try await transaction.document(one) else { return }
              let count = try document.decoded(as: [String: Int].self)["by"] ?? 0
              transaction.update(one, Data(#"{"by":\#(count + 1)}"#.utf8))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(
      try await world.storage.value([String: Int].self, at: one) == ["n": 40, "by": 40])
    #expect(try await world.storage.document(one)?.version == 81)
  }

  // MARK: Increment

  @Test(
    "Incrementing a field adds positive and negative amounts and creates a missing field",
    arguments: Platform.everywhere)
  func increment(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    await expect(StorageError.documentNotFound("drafts/one")) { () throws(StorageError) in
      try await world.storage.increment(one, "n", 1)
    }
    _ = try await world.storage.setDocument(
      one, json(#"{"a":[{"n":7}],"n":41,"none":null,"real":2.0,"s":"ü"}"#), nil)
    #expect(try await world.storage.increment(one, "n", 1) == 42)
    #expect(try await world.storage.increment(one, "n", -50) == -8)
    #expect(try await world.storage.increment(one, "n", 0) == -8)
    #expect(try await world.storage.increment(one, "new_1-x", 3) == 3)
    #expect(try await world.storage.increment(one, "none", 4) == 4)
    #expect(try await world.storage.increment(one, "real", 1) == 3)
    let document = try #require(await world.storage.document(one))
    #expect(document.version == 7)
    #expect(
      try JSONObject(document.json)
        == JSONObject(json(#"{"a":[{"n":7}],"n":-8,"none":4,"real":3,"new_1-x":3,"s":"ü"}"#)))
  }

  @Test(
    "Incrementing a field that isn't a whole number fails and changes nothing",
    arguments: Platform.everywhere)
  func noNumber(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let text = #"{"b":true,"f":2.5,"l":[1],"o":{"n":1},"s":"1","h":1e30,"w":9223372036854775808}"#
    _ = try await world.storage.setDocument(one, json(text), nil)
    for field in ["b", "f", "l", "o", "s", "h", "w"] {
      await expect(StorageError.serialization("drafts/one: “\(field)” isn't a whole number")) {
        () throws(StorageError) in try await world.storage.increment(one, field, 1)
      }
    }
    #expect(try await contents(world) == ["one 1 \(text)"])
  }

  @Test("An increment that would overflow 64 bits is refused", arguments: Platform.everywhere)
  func overflow(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    _ = try await world.storage.setDocument(
      one, json(#"{"high":9223372036854775806,"low":-9223372036854775807}"#), nil)
    #expect(try await world.storage.increment(one, "high", 1) == .max)
    #expect(try await world.storage.increment(one, "low", -1) == .min)
    for (field, amount) in [("high", 1), ("high", .max), ("low", -1), ("low", .min)] {
      await expect(StorageError.serialization("drafts/one: “\(field)” would be too large")) {
        () throws(StorageError) in try await world.storage.increment(one, field, amount)
      }
    }
    #expect(
      try await world.storage.value([String: Int].self, at: one) == ["high": .max, "low": .min])
  }

  @Test(
    "Incrementing a field whose name is a path, SQL or too long is refused",
    arguments: Platform.everywhere,
    ["", "a.b", "a[0]", "$", #"a""#, "a\\", "' OR 1=1 --", "ä", String(repeating: "n", count: 65)])
  func fieldName(_ platform: Platform, _ field: String) async throws {
    let world = try await World.withDocuments(platform)
    _ = try await world.storage.setDocument(one, json(#"{"a":{"b":1}}"#), nil)
    await expect(StorageError.serialization("“\(field.prefix(64))” isn't the name of a counter")) {
      () throws(StorageError) in try await world.storage.increment(one, field, 1)
    }
    #expect(try await contents(world) == [#"one 1 {"a":{"b":1}}"#])
  }

  // MARK: Secrets

  @Test(
    "The keychain names a secret's source without revealing the secret",
    arguments: Platform.everywhere)
  func source(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let name = KeychainClient.smtpPassword
    #expect(try await world.keychain.source(name) == nil)
    try await world.keychain.set(name, "hunter2")
    let source = try #require(try await world.keychain.source(name))
    #expect(!source.text.contains("hunter2"))
    // There is no desktop keyring here, so the secret stays in place.
    await #expect(throws: KeychainError.self) { try await world.keychain.keepInKeyring(name, "x") }
    #expect(try await world.keychain.get(name) == "hunter2")
  }
}
