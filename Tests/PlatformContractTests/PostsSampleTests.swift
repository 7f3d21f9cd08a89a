import Clients
import FoundationEssentials
import System
import TestSupport
import Testing

/// The posts of the design's notes, as a sample: a client with a domain of its own over the generic
/// clients for documents and files. The product has no posts; it shows what those operations are
/// for.
private struct PostClient: Sendable {
  struct Post: Codable, Equatable, Sendable {
    var title: String
    var likes = 0
    var isArchived = false
  }

  /// A post and its identifier, which is its file's name, too.
  struct Entry: Equatable, Sendable {
    var id: String
    var post: Post
  }

  var create: @Sendable (_ title: String) async throws(StorageError) -> String
  /// - Returns: The number of likes.
  var like: @Sendable (_ id: String) async throws(StorageError) -> Int
  var rename: @Sendable (_ id: String, _ title: String) async throws(StorageError) -> Void
  /// The best first.
  var best: @Sendable (_ limit: Int) async throws(StorageError) -> [Entry]
  /// Archives all posts without a like, or none.
  /// - Returns: How many.
  var tidy: @Sendable () async throws(StorageError) -> Int
  /// The titles in the order of the posts' names, now and after every change.
  var titles: @Sendable () -> AsyncThrowingStream<[String], any Error>
  /// The post now and after every change; `nil` while there is none.
  var watch: @Sendable (_ id: String) throws -> AsyncThrowingStream<Document?, any Error>
  /// Replaces a post's picture by a file, which is moved. The old one is deleted.
  var setPicture: @Sendable (_ id: String, _ file: String) async throws(LocalFileError) -> Void

  init(storage: StorageClient, files: FileClient, pictures: String) throws {
    let posts = try CollectionPath("posts")
    create = { title async throws(StorageError) in
      try await storage.addDocument(posts, Self.json(Post(title: title))).id
    }
    like = { id async throws(StorageError) in
      try await storage.increment(posts.document(id), "likes", 1)
    }
    rename = { id, title async throws(StorageError) in
      let path = try posts.document(id)
      // What was read must still be so when it is written, or it is read again.
      try await storage.transaction { transaction async throws(StorageError) in
        guard var post = try await transaction.document(path)?.decoded(as: Post.self) else {
          throw StorageError.documentNotFound("\(path)")
        }
        post.title = title
        transaction.set(path, try Self.json(post))
      }
    }
    best = { limit async throws(StorageError) in
      let query = DocumentQuery(
        filters: [.init("isArchived", .equal, .bool(false))], order: "likes", descending: true,
        limit: limit)
      var entries: [Entry] = []
      for document in try await storage.query(posts, query) {
        entries.append(Entry(id: document.path.id, post: try document.decoded(as: Post.self)))
      }
      return entries
    }
    tidy = { () async throws(StorageError) in
      let unloved = try await storage.query(
        posts,
        DocumentQuery(filters: [
          .init("likes", .less, .number(1)), .init("isArchived", .equal, .bool(false)),
        ]))
      try await storage.batch(
        unloved.flatMap {
          [
            .require($0.path, $0), .update($0.path, Data(#"{"isArchived":true}"#.utf8)),
          ]
        })
      return unloved.count
    }
    titles = {
      AsyncThrowingStream { continuation in
        let task = Task {
          do {
            for try await documents in storage.observeCollection(posts, .all) {
              continuation.yield(try documents.map { try $0.decoded(as: Post.self).title })
            }
            continuation.finish()
          } catch {
            continuation.finish(throwing: error)
          }
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }
    watch = { id in storage.observeDocument(try posts.document(id)) }
    setPicture = { id, file async throws(LocalFileError) in
      let picture = "\(pictures)/\(id).png"
      if await files.exists(picture) { try await files.delete(picture) }
      try await files.move(file, picture)
    }
  }

  private static func json(_ post: Post) throws(StorageError) -> Data {
    do { return try JSONEncoder().encode(post) } catch { throw .serialization("\(error)") }
  }
}

@Suite("Sample client over documents and files", .timeLimit(.minutes(1)))
struct PostsSampleTests {
  /// Runs a test on posts in a store of its own.
  private func withPosts(
    _ platform: Platform, pictures: String = "/pictures",
    _ test: (PostClient) async throws -> Void
  ) async throws {
    let world = try await World.withDocuments(platform)
    try await test(
      PostClient(
        storage: world.storage, files: .live(environment: ["HOME": pictures]), pictures: pictures))
    withExtendedLifetime(world) {}
  }

  @Test("Posts are created, liked, renamed and listed", arguments: Platform.everywhere)
  func posts(_ platform: Platform) async throws {
    try await withPosts(platform) { client in
      let first = try await client.create("First")
      let second = try await client.create("Second")
      #expect(try await client.like(second) == 1)
      #expect(try await client.like(second) == 2)
      try await client.rename(second, "The second")
      #expect(
        try await client.best(5) == [
          .init(id: second, post: .init(title: "The second", likes: 2)),
          .init(id: first, post: .init(title: "First")),
        ])
      #expect(try await client.best(1).map(\.id) == [second])
      await expect(StorageError.documentNotFound("posts/none")) { () throws(StorageError) in
        try await client.rename("none", "x")
      }
    }
  }

  @Test("Archiving archives all posts without a like and no others", arguments: Platform.everywhere)
  func tidying(_ platform: Platform) async throws {
    try await withPosts(platform) { client in
      let ids = [try await client.create("A"), try await client.create("B")]
      let loved = try await client.create("C")
      _ = try await client.like(loved)
      #expect(try await client.tidy() == 2)
      #expect(try await client.best(5).map(\.id) == [loved])
      #expect(try await client.tidy() == 0)
      #expect(Set(ids).isDisjoint(with: [loved]))
    }
  }

  @Test("Observers of the titles and of a post see each change", arguments: Platform.everywhere)
  func watching(_ platform: Platform) async throws {
    try await withPosts(platform) { client in
      var titles = client.titles().makeAsyncIterator()
      #expect(try await titles.next() == [])
      let id = try await client.create("First")
      #expect(try await titles.next() == ["First"])
      var post = try client.watch(id).makeAsyncIterator()
      #expect(try await post.next()??.version == 1)
      try await client.rename(id, "Better")
      #expect(try await titles.next() == ["Better"])
      #expect(try await post.next()??.version == 2)
    }
  }

  @Test("A new picture replaces the old picture; a missing file is an error")
  func pictures() async throws {
    let folder = try TemporaryFolder()
    try await withPosts(.inMemory, pictures: folder.path) { client in
      for contents in ["old", "new"] {
        let file = "\(folder.path)/\(contents)"
        try Data(contents.utf8).write(to: URL(filePath: file))
        try await client.setPicture("1", file)
        #expect(try Data(contentsOf: URL(filePath: "\(folder.path)/1.png")) == Data(contents.utf8))
      }
      await expect(LocalFileError.notFound(path: "\(folder.path)/none")) {
        () throws(LocalFileError) in
        try await client.setPicture("2", "\(folder.path)/none")
      }
    }
  }
}
