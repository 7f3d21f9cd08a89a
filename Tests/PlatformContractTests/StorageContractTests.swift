import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("StorageClient, KeychainClient", .timeLimit(.minutes(1)))
struct StorageContractTests {
  private let path = DocumentPath.appearance

  private func json(_ text: String) -> Data { Data(text.utf8) }

  @Test(
    "A document is stored unchanged, with versions counted from 1", arguments: Platform.allCases)
  func set(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    #expect(try await world.storage.document(path) == nil)
    #expect(try await world.storage.setDocument(path, json(#"{"theme":"dark"}"#), nil) == 1)
    #expect(try await world.storage.setDocument(path, json(#"{"a":[1,{"b":null}]}"#), nil) == 2)
    #expect(
      try await world.storage.document(path)
        == Document(path: path, version: 2, json: json(#"{"a":[1,{"b":null}]}"#)))
    try await world.storage.deleteDocument(path)
    try await world.storage.deleteDocument(path)
    #expect(try await world.storage.document(path) == nil)
  }

  @Test("Writing a document with an outdated version is refused", arguments: Platform.allCases)
  func conflict(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let (one, two) = (json(#"{"n":1}"#), json(#"{"n":2}"#))
    await expect(StorageError.conflict("settings/appearance")) { () throws(StorageError) in
      try await world.storage.setDocument(path, one, 1)
    }
    #expect(try await world.storage.setDocument(path, one, 0) == 1)
    await expect(StorageError.conflict("settings/appearance")) { () throws(StorageError) in
      try await world.storage.setDocument(path, two, 0)
    }
    #expect(try await world.storage.setDocument(path, two, 1) == 2)
    await expect(StorageError.conflict("settings/appearance")) { () throws(StorageError) in
      try await world.storage.setDocument(path, one, 1)
    }
    #expect(try await world.storage.document(path)?.json == two)
  }

  @Test("A document that isn't a JSON object is refused", arguments: Platform.allCases)
  func noObject(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    for text in ["", "[]", "1", "{", "{\"a\":1} x", "\u{0}"] {
      let data = json(text)
      await expect(StorageError.serialization("a document is a JSON object")) {
        () throws(StorageError) in try await world.storage.setDocument(path, data, nil)
      }
    }
    #expect(try await world.storage.document(path) == nil)
  }

  @Test(
    "Updating a document replaces only the named fields; null removes a field",
    arguments: Platform.allCases)
  func update(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    await expect(StorageError.documentNotFound("settings/appearance")) {
      () throws(StorageError) in try await world.storage.updateDocument(path, json("{}"))
    }
    _ = try await world.storage.setDocument(
      path, json(#"{"keep":1,"drop":2,"nested":{"a":1,"b":2}}"#), nil)
    let version = try await world.storage.updateDocument(
      path, json(#"{"drop":null,"nested":{"a":3},"new":"ü/"}"#))
    #expect(version == 2)
    let document = try #require(await world.storage.document(path))
    #expect(document.version == 2)
    #expect(
      String(decoding: document.json, as: UTF8.self)
        == #"{"keep":1,"nested":{"a":3},"new":"ü/"}"#)
  }

  @Test(
    "Typed values are stored and read; reading a value as another type fails",
    arguments: Platform.allCases)
  func values(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    #expect(try await world.storage.value([String: Int].self, at: path) == nil)
    try await world.storage.setValue(["a": 7], at: path)
    #expect(try await world.storage.value([String: Int].self, at: path) == ["a": 7])
    await #expect(throws: StorageError.self) {
      try await world.storage.value([String: [Int]].self, at: path)
    }
  }

  @Test(
    "A document stored before onboarding is kept after the account is created",
    arguments: Platform.all(but: .beforeAccount))
  func beforeAccount(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    _ = try await world.storage.setDocument(path, json(#"{"n":1}"#), nil)
    try await world.openAccount()
    #expect(try await world.storage.setDocument(path, json(#"{"n":2}"#), 1) == 2)
  }

  @Test("Added documents get different identifiers", arguments: Platform.allCases)
  func add(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let one = try await world.storage.addDocument(.drafts, json(#"{"n":1}"#))
    let two = try await world.storage.addDocument(.drafts, json(#"{"n":1}"#))
    #expect(one != two)
    #expect(one.collection == .drafts)
    #expect(try await world.storage.document(one)?.version == 1)
    #expect(try await world.storage.query(.drafts, .all).count == 2)
    #expect(try await world.storage.query(.settings, .all) == [])
  }

  private func ids(_ world: World, _ query: DocumentQuery) async throws -> String {
    try await world.storage.query(.drafts, query).map(\.path.id).joined(separator: " ")
  }

  @Test("Queries compare fields with values of the same type", arguments: Platform.allCases)
  func filters(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let documents = [
      ("a", #"{"n":1,"s":"Z","b":true}"#), ("b", #"{"n":2.5,"s":"a","b":false}"#),
      ("c", #"{"n":"2","s":"é"}"#), ("d", #"{"n":null,"s":1}"#), ("e", #"{"n":true,"s":[1]}"#),
      ("f", #"{"we.ird $\"x":5}"#),
    ]
    for (id, text) in documents {
      _ = try await world.storage.setDocument(CollectionPath.drafts.document(id), json(text), nil)
    }
    typealias Filter = DocumentQuery.Filter
    let cases: [([Filter], String)] = [
      ([Filter("n", .equal, .number(1))], "a"),
      ([Filter("n", .greater, .number(1))], "b"),
      ([Filter("n", .less, .number(3))], "a b"),
      ([Filter("n", .equal, .string("2"))], "c"),
      ([Filter("n", .equal, .bool(true))], "e"),
      ([Filter("b", .less, .bool(true))], "b"),
      ([Filter("s", .greater, .string("Z"))], "b c"),
      ([Filter("s", .less, .string("b"))], "a b"),
      ([Filter("n", .greater, .number(0)), Filter("b", .equal, .bool(true))], "a"),
      ([Filter("we.ird $\"x", .equal, .number(5))], "f"),
      ([Filter("none", .equal, .number(5))], ""),
      ([Filter("n' OR 1=1 --", .equal, .number(5))], ""),
    ]
    for (filters, expected) in cases {
      #expect(try await ids(world, DocumentQuery(filters: filters)) == expected, "\(filters)")
    }
    #expect(try await ids(world, .all) == "a b c d e f")
  }

  @Test(
    "Query results can be ordered by a field; documents without the field come first",
    arguments: Platform.allCases)
  func order(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    for (id, text) in [
      ("a", #"{"n":2}"#), ("b", #"{"n":10}"#), ("c", "{}"), ("d", #"{"n":"1"}"#),
      ("e", #"{"n":false}"#), ("f", #"{"n":2.0}"#), ("g", #"{"n":null}"#), ("h", #"{"n":true}"#),
    ] {
      _ = try await world.storage.setDocument(CollectionPath.drafts.document(id), json(text), nil)
    }
    #expect(try await ids(world, DocumentQuery(order: "n")) == "c g e h a f b d")
    #expect(try await ids(world, DocumentQuery(order: "n", descending: true)) == "c g d b a f h e")
    #expect(try await ids(world, DocumentQuery(descending: true, limit: 3)) == "h g f")
    #expect(try await ids(world, DocumentQuery(order: "n", limit: 0)) == "")
  }

  @Test("Observers see a document and a collection change", arguments: Platform.allCases)
  func observe(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    var document = world.storage.observeDocument(path).makeAsyncIterator()
    var collection = world.storage.observeCollection(.settings, .all).makeAsyncIterator()
    #expect(try await document.next() == .some(nil))
    #expect(try await collection.next() == [])
    _ = try await world.storage.setDocument(path, json(#"{"n":1}"#), nil)
    let stored = Document(path: path, version: 1, json: json(#"{"n":1}"#))
    #expect(try await document.next() == stored)
    #expect(try await collection.next() == [stored])
    try await world.storage.deleteDocument(path)
    #expect(try await document.next() == .some(nil))
    #expect(try await collection.next() == [])
  }

  @Test("The keychain stores, replaces and deletes secrets by name", arguments: Platform.allCases)
  func keychain(_ platform: Platform) async throws {
    let world = try await World.withDocuments(platform)
    let name = KeychainClient.smtpPassword
    #expect(try await world.keychain.get(name) == nil)
    try await world.keychain.delete(name)
    try await world.keychain.set(name, "p\"ä\\ss\nword")
    try await world.keychain.set("other", "x")
    #expect(try await world.keychain.get(name) == "p\"ä\\ss\nword")
    try await world.keychain.set(name, "new")
    #expect(try await world.keychain.get(name) == "new")
    try await world.keychain.delete(name)
    #expect(try await world.keychain.get(name) == nil)
    #expect(try await world.keychain.get("other") == "x")
  }
}

extension StorageContractTests {
  @Test(
    "A program without an account can't read an account's documents",
    arguments: Platform.all(but: .beforeAccount))
  func withoutAccount(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    _ = try await world.storage.setDocument(.appearance, Data(#"{"theme":"dark"}"#.utf8), nil)
    let stranger = try world.second(account: "no.one@example.org")
    #expect(try await stranger.storage.document(.appearance) == nil)
    _ = try await stranger.storage.setDocument(.appearance, Data("{}".utf8), 0)
    #expect(
      try await world.storage.document(.appearance)?.json == Data(#"{"theme":"dark"}"#.utf8))
  }
}
