package import Clients
package import struct Composable.DependencyValues
import Domain
import FoundationEssentials

/// Moves an account from the store of this machine to a server. Every step may be the last one
/// before a crash: moving again completes what was begun, or begins again, without duplicates and
/// without loss.
package struct AccountMover: Sendable {
  private let here: DependencyValues
  private let there: DependencyValues
  private let server: String

  /// - Parameters:
  ///   - here: The clients of this machine's store.
  ///   - there: The clients of the signed-in account on the server.
  ///   - server: The name of the server.
  package init(from here: DependencyValues, to there: DependencyValues, server: String) {
    self.here = here
    self.there = there
    self.server = server
  }

  /// How often the account may change while it is being moved.
  private static let tries = 5

  /// Copies the whole account to the server, and makes it take no more check-ins here. The server
  /// doesn't watch it before ``arrive(within:)``.
  package func bring(_ prepared: AccountMove) async throws {
    var move = prepared
    guard move.movedTo == nil else { return try await complete(move) }
    var copies: [EmergencyDocument.ID: EmergencyDocument.ID] = [:]
    for attempt in 1...Self.tries {
      // This refuses an account that isn't meant for a move, before anything in it is changed.
      try await there.transferClient.receiveMove(move)
      if attempt == 1 { try await removeLeftovers() }
      try await copyFiles(of: move, &copies)
      try await copyPicture(of: move)
      if try await here.transferClient.completeMove(move, server) { return }
      move = try await here.transferClient.prepareMove()
    }
    throw ClientError.storage(.busy)
  }

  /// Deletes what an earlier try has left, which may be of another version.
  private func removeLeftovers() async throws {
    for document in try await there.documentsClient.documents() {
      try await there.fileStorageClient.delete(document.id)
    }
  }

  private func complete(_ move: AccountMove) async throws {
    _ = try await here.transferClient.completeMove(move, server)
  }

  private func copyFiles(
    of move: AccountMove, _ copies: inout [EmergencyDocument.ID: EmergencyDocument.ID]
  ) async throws {
    let documents = move.export.files
    for (original, copy) in copies where !documents.contains(where: { $0.id == original }) {
      try await there.fileStorageClient.delete(copy)
      copies[original] = nil
    }
    for document in documents {
      if let copy = copies[document.id] {
        _ = try await there.documentsClient.rename(copy, document.name)
        _ = try await there.documentsClient.setAccess(copy, document.access)
        continue
      }
      let data = try await here.fileStorageClient.download(StoredFileURL(document.id))
      let metadata = StorageMetadata(
        name: document.name, contentType: document.contentType, access: document.access)
      var last: UploadEvent?
      for await event in there.fileStorageClient.upload(data, metadata) { last = event }
      switch last {
      case .completed(let copy): copies[document.id] = copy.id
      case .failed(let error): throw error
      case .progress, nil: throw ClientError.storage(.network(.serverUnreachable(server)))
      }
    }
  }

  private func copyPicture(of move: AccountMove) async throws {
    let change: PictureChange
    if let picture = move.picture {
      change = .set(try await here.fileStorageClient.download(StoredFileURL(picture)))
    } else {
      change = .remove
    }
    _ = try await there.userProfileClient.update(move.export.user.profile.name, change)
  }

  /// Makes the server's monitor watch the account, waits until it has checked it, and ends the
  /// watch here.
  /// - Parameter timeout: How long to wait for the server's monitor.
  /// - Returns: Whether the server watches. Until then this machine does.
  package func arrive(within timeout: Duration = .seconds(60)) async throws -> Bool {
    let pause = Duration.seconds(1)
    var left = timeout
    while try await !there.transferClient.arrive() {
      guard left > .zero else { return false }
      left -= pause
      try await there.continuousClock.sleep(for: pause)
    }
    try await here.transferClient.stopWatching()
    return true
  }
}
