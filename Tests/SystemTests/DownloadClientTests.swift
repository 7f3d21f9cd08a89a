import Clients
import Domain
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import System

/// A stored file whose parts are delivered as the test wants.
private final class Source: Sendable {
  let data: Data
  let failure = Mutex<(offset: Int, error: ClientError)?>(nil)

  init(_ data: Data) { self.data = data }

  var client: FileStorageClient {
    var client = FileStorageClient.testValue
    client.read = { (_, offset: Int, count: Int) async throws(ClientError) in
      if let failure = self.failure.withLock({ $0 }), offset >= failure.offset {
        throw failure.error
      }
      return Data(self.data.dropFirst(offset).prefix(count))
    }
    return client
  }
}

@Suite(.timeLimit(.minutes(1)))
struct DownloadClientTests {
  private static let data = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 * 3) })
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func request(
    _ name: String = "card.pdf", size: Int = data.count, to subfolder: String = ""
  ) -> DownloadRequest {
    DownloadRequest(
      url: StoredFileURL(UUID()), expectedSize: size, name: name, folder: folder.path + subfolder)
  }

  @Test("DOC-1: a download reports its progress and gets its name only when it is complete")
  func arrives() async throws {
    let client = DownloadClient.live(from: Source(Self.data).client)
    var events: [DownloadEvent] = []
    for await event in client.download(request()) {
      // The file gets its name only once it is complete.
      if case .progress = event { #expect(!folder.names.contains("card.pdf")) }
      events.append(event)
    }
    let path = folder.path + "/card.pdf"
    #expect(
      events == [0, 25, 50, 75, 100].map { .progress(percent: $0) } + [.completed(path: path)])
    #expect(FileManager.default.contents(atPath: path) == Self.data)
    var information = stat()
    stat(path, &information)
    #expect(information.st_mode & 0o777 == 0o600)
    #expect(folder.names == ["card.pdf"])
  }

  @Test("DOC-1: a download never replaces a file; the new file gets a number")
  func numbers() async throws {
    try folder.write("mine", to: "card.pdf")
    symlink(folder.path + "/nowhere", folder.path + "/card (2).pdf")
    let client = DownloadClient.live(from: Source(Data("theirs".utf8)).client)
    #expect(
      await last(client, request(size: 6)) == .completed(path: folder.path + "/card (3).pdf"))
    #expect(folder.text("card.pdf") == "mine" && folder.text("card (3).pdf") == "theirs")
    #expect(folder.names == ["card (2).pdf", "card (3).pdf", "card.pdf"])
  }

  @Test("DOC-1: a document's name can't lead out of the folder")
  func hostileName() async throws {
    let client = DownloadClient.live(from: Source(Data("x".utf8)).client)
    let event = await last(client, request("../../.ssh/authorized_keys\u{202E}\n", size: 1))
    #expect(event == .completed(path: folder.path + "/-..-.ssh-authorized_keys"))
  }

  @Test("A missing download folder is created; a folder that can't be created is an error")
  func folders() async throws {
    let client = DownloadClient.live(from: Source(Data("x".utf8)).client)
    let made = await last(client, request("a", size: 1, to: "/new"))
    #expect(made == .completed(path: folder.path + "/new/a"))
    let failed = await last(client, request("a", size: 1, to: "/none/new"))
    #expect(
      failed
        == .failed(
          .destination(
            .cannotWrite(path: folder.path + "/none/new", reason: "No such file or directory"))))
  }

  @Test("DOC-1: a download that fails leaves no partial file", arguments: [0, 1, 600_000, 1 << 20])
  func cut(_ offset: Int) async throws {
    let source = Source(Self.data)
    source.failure.withLock { $0 = (offset, .fileClosed) }
    let client = DownloadClient.live(from: source.client)
    #expect(await last(client, request()) == .failed(.source(.fileClosed)))
    #expect(folder.names == [])
  }

  @Test("A download of an unexpected size is not kept", arguments: [-1, 1])
  func otherSize(_ difference: Int) async throws {
    let client = DownloadClient.live(from: Source(Self.data).client)
    let event = await last(client, request(size: Self.data.count + difference))
    #expect(event == .failed(.incomplete))
    #expect(folder.names == [])
  }

  @Test("DOC-1: a cancelled download leaves no partial file and sends no further event")
  func cancelled() async throws {
    let client = DownloadClient.live(from: Source(Self.data).client)
    for steps in 1...5 {
      let request = request()
      var events = client.download(request).makeAsyncIterator()
      for _ in 0..<steps { _ = await events.next() }
      #expect(folder.names.count == 1)
      await client.cancel(request.url)
      #expect(await events.next() == nil)
      #expect(folder.names == [])
    }
    // Dropping the stream cancels the download.
    do {
      var events = client.download(request()).makeAsyncIterator()
      _ = await events.next()
      _ = await events.next()
      #expect(folder.names.count == 1)
    }
    #expect(folder.names == [])
    // Cancelling a download that isn't running does nothing.
    await client.cancel(StoredFileURL(UUID()))
  }

  @Test(
    "A download replaces a killed program's partial file, but not one that is still being saved")
  func leftOver() async throws {
    let client = DownloadClient.live(from: Source(Data("x".utf8)).client)
    let request = request(size: 1)
    let part = ".lifesignal-\(request.url.id.uuidString.lowercased()).part"
    try folder.write("half", to: part)
    #expect(await last(client, request) == .completed(path: folder.path + "/card.pdf"))
    var running = client.download(request).makeAsyncIterator()
    _ = await running.next()
    let second = await last(client, request)
    #expect(
      second
        == .failed(
          .destination(
            .cannotWrite(path: folder.path + "/" + part, reason: "it is being saved already"))))
    while let event = await running.next() {
      if case .failed(let error) = event { Issue.record("\(error)") }
    }
    #expect(folder.names == ["card (2).pdf", "card.pdf"])
  }

  private func last(_ client: DownloadClient, _ request: DownloadRequest) async -> DownloadEvent? {
    var last: DownloadEvent?
    for await event in client.download(request) { last = event }
    return last
  }
}
