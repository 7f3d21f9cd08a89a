import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("FileStorageClient and DocumentsClient", .timeLimit(.minutes(1)))
struct FileContractTests {
  @Test("DOC-1: a document can be stored, read, renamed, opened to responders and deleted")
  func life() async throws {
    for platform in Platform.allCases {
      let ida = try World(platform)
      try await ida.openAccount()
      let bytes = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
      let added = try await ida.add("Card.pdf", bytes, .duringAlert)
      #expect(added.name == "Card.pdf" && added.size == 700_000)
      #expect(added.access == .duringAlert && added.addedAt == ida.now)
      #expect(try await ida.documents.documents() == [added])
      let url = try await ida.files.url(added.id)
      #expect("\(url)" == "lifesignal://file/" + added.id.uuidString.lowercased())
      #expect(try await ida.files.download(url) == bytes)
      #expect(try await ida.files.read(url, 699_998, 100) == bytes.suffix(2))
      #expect(try await ida.files.read(url, 700_000, 100) == Data())

      let renamed = try await ida.documents.rename(added.id, " Medical\u{202E} card.pdf ")
      #expect(renamed.name == "Medical card.pdf" && renamed.id == added.id)
      let opened = try await ida.documents.setAccess(added.id, .always)
      #expect(opened.access == .always && opened.name == "Medical card.pdf")
      #expect(try await ida.documents.documents() == [opened])

      try await ida.files.delete(added.id)
      #expect(try await ida.documents.documents() == [])
      await expect(ClientError.fileNotFound) { () throws(ClientError) in
        try await ida.files.download(url)
      }
      await expect(ClientError.fileNotFound) { () throws(ClientError) in
        try await ida.files.delete(added.id)
      }
    }
  }

  @Test("DOC-1: an upload reports its progress from 0 to 100 %, then the stored document")
  func progress() async throws {
    for platform in Platform.all(but: .uploadSteps) {
      let ida = try World(platform)
      try await ida.openAccount()
      var events: [UploadEvent] = []
      for await event in ida.files.upload(Data(count: 1 << 20), .note) { events.append(event) }
      #expect(events.dropLast() == [0, 25, 50, 75, 100].map { .progress(percent: $0) })
      #expect(events.last == .completed(try await ida.documents.documents()[0]))
      // An empty file works too.
      let empty = try await ida.add("empty", Data())
      let url = try await ida.files.url(empty.id)
      #expect(try await ida.files.download(url) == Data())
    }
  }

  @Test(
    "DOC-1: a cancelled upload leaves no document and no file",
    arguments: Platform.all(but: .uploadSteps))
  func cancelled(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    for steps in 1...5 {
      var count = 0
      for await _ in ida.files.upload(Data(count: 1 << 20), .note) {
        count += 1
        if count == steps { break }
      }
      #expect(try await ida.documents.documents() == [])
    }
    // Cancelling the task works just as well.
    let files = ida.files
    let task = Task {
      var last: UploadEvent?
      for await event in files.upload(Data(count: 1 << 20), .note) {
        last = event
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return last
    }
    #expect(await task.value == .progress(percent: 0))
    #expect(try await ida.documents.documents() == [])
    #expect(ida.storedFiles == [])
  }

  @Test("DOC-1: a person can store up to 20 documents of 10 MB each")
  func limits() async throws {
    for platform in Platform.allCases {
      let ida = try World(platform)
      try await ida.openAccount()
      #expect(
        await ida.outcome(of: Data(count: 10_000_001), .note) == .failed(.invalid(.fileSize)))
      let largest = try await ida.add("largest", Data(count: 10_000_000))
      #expect(largest.size == 10_000_000)
      for _ in 1..<20 { try await ida.add("note.txt", Data()) }
      #expect(await ida.outcome(of: Data(), .note) == .failed(.invalid(.documentCount)))
      let names = try await ida.documents.documents().map(\.name)
      #expect(names.count == 20 && Set(names).count == 20)
      #expect(names.contains("note.txt") && names.contains("note (19).txt"))
      try await ida.files.delete(largest.id)
      try await ida.add("note.txt", Data())
    }
  }

  @Test(
    "DOC-1: two uploads at the same time can't exceed the limit of 20 documents",
    arguments: Platform.all(but: .uploadSteps)
  )
  func race(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    for _ in 1..<20 { try await ida.add("note.txt", Data()) }
    var first = ida.files.upload(Data("1".utf8), .note).makeAsyncIterator()
    var second = ida.files.upload(Data("2".utf8), .note).makeAsyncIterator()
    for _ in 1...2 {
      _ = await first.next()
      _ = await second.next()
    }
    guard case .completed = await first.next() else {
      Issue.record("not stored")
      return
    }
    #expect(await second.next() == .failed(.invalid(.documentCount)))
    #expect(await second.next() == nil)
  }

  @Test(
    "DOC-1: document names are sanitised, and two documents can't share a name",
    arguments: Platform.allCases)
  func names(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let hostile = try await ida.add("../../\u{1B}[2J.card\u{202E}.pdf", Data())
    #expect(hostile.name == "-..-[2J.card.pdf")
    let second = try await ida.add(hostile.name.uppercased(), Data())
    #expect(second.name == "-..-[2J.CARD (2).PDF")
    await expect(ClientError.invalid(.documentNameTaken(hostile.name))) {
      () throws(ClientError) in
      try await ida.documents.rename(second.id, hostile.name.uppercased())
    }
    await expect(ClientError.invalid(.documentName)) { () throws(ClientError) in
      try await ida.documents.rename(second.id, "  ")
    }
    // Changing only the case of its own name isn't a conflict.
    let lower = try await ida.documents.rename(hostile.id, "CARD.pdf")
    #expect(try await ida.documents.rename(lower.id, "card.pdf").name == "card.pdf")
  }

  @Test(
    "A person who isn't signed in can't read or store documents or change the profile",
    arguments: Platform.allCases)
  func nobody(_ platform: Platform) async throws {
    let world = try World(platform)
    await expect(ClientError.notAuthenticated) { () throws(ClientError) in
      try await world.documents.documents()
    }
    #expect(await world.outcome(of: Data(), .note) == .failed(.notAuthenticated))
    await expect(ClientError.notAuthenticated) { () throws(ClientError) in
      try await world.profile.update("Ida", .remove)
    }
  }

  @Test(
    "Signing out during an upload stores nothing",
    arguments: Platform.all(but: .uploadSteps))
  func signsOut(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    var upload = bo.files.upload(Data(count: 10), .note).makeAsyncIterator()
    _ = await upload.next()
    _ = await upload.next()
    try await bo.auth.signOut()
    #expect(await upload.next() == .failed(.notAuthenticated))
    #expect(ida.storedFiles == [])
  }

  @Test(
    "Owner and responder see documents change; a removed responder no longer does",
    arguments: Platform.allCases)
  func observation(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    let relation = try await ida.befriend(bo, .responder).own.id
    var own = ida.documents.observe().makeAsyncIterator()
    var seen = bo.documents.observeOf(relation).makeAsyncIterator()
    #expect(try await own.next() == [])
    #expect(try await seen.next() == [])
    let document = try await ida.add("card.pdf", Data())
    #expect(try await own.next() == [document])
    #expect(try await seen.next() == [document])
    try await ida.contacts.delete(relation)
    await #expect(throws: ClientError.fileNotFound) { _ = try await seen.next() }
    #expect(try await bo.documents.documents() == [])
  }

  @Test("AUTH-4: deleting the account deletes its files", arguments: Platform.allCases)
  func accountDeleted(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    try await ida.befriend(bo, .responder)
    let document = try await ida.add("card.pdf", Data("x".utf8))
    let picture = try #require(try await ida.profile.update("Ida", .set(.png)).picture)
    let kept = try await bo.add("own.pdf", Data("y".utf8))
    try await ida.auth.deleteAccount(nil)
    for id in [document.id, picture] {
      await expect(ClientError.fileNotFound) { () throws(ClientError) in
        try await bo.files.url(id)
      }
    }
    #expect(try await bo.documents.documents() == [kept])
    if platform == .embedded { #expect(bo.storedFiles == [kept.id.uuidString.lowercased()]) }
  }
}

@Suite("UserProfileClient", .timeLimit(.minutes(1)))
struct UserProfileContractTests {
  @Test(
    "Name and picture change together; if either is invalid, both stay",
    arguments: Platform.allCases)
  func oneStep(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let user = try await ida.profile.update(" Ida K ", .set(.png))
    #expect(user.profile.name == "Ida K")
    let picture = try #require(user.picture)
    #expect(try await ida.user.currentUser() == user)
    #expect(try await ida.files.download(ida.files.url(picture)) == .png)
    // The picture isn't a document.
    #expect(try await ida.documents.documents() == [])
    await expect(ClientError.fileNotFound) { () throws(ClientError) in
      try await ida.files.delete(picture)
    }

    // If one of the two is invalid, neither changes.
    await expect(ClientError.invalid(.pictureFormat)) { () throws(ClientError) in
      try await ida.profile.update("Other", .set(Data("GIF89a".utf8)))
    }
    await expect(ClientError.invalid(.fileSize)) { () throws(ClientError) in
      try await ida.profile.update("Other", .set(.png + Data(count: 10_000_000)))
    }
    await expect(ClientError.invalid(.nameLength(0))) { () throws(ClientError) in
      try await ida.profile.update(" ", .set(.jpeg))
    }
    #expect(try await ida.user.currentUser() == user)

    let kept = try await ida.profile.update("Ida", .keep)
    #expect(kept.picture == picture)
    let other = try await ida.profile.update("Ida", .set(.jpeg))
    #expect(other.picture != picture)
    await expect(ClientError.fileNotFound) { () throws(ClientError) in
      try await ida.files.url(picture)
    }
    #expect(try await ida.profile.update("Ida", .remove).picture == nil)
    #expect(ida.storedFiles == [])
  }

  @Test(
    "CON-7: each side of an active relation sees the other's picture", arguments: Platform.allCases)
  func seen(_ platform: Platform) async throws {
    let ida = try World(platform)
    try await ida.openAccount()
    let bo = try await ida.openPeer()
    let picture = try #require(try await ida.profile.update("Ida", .set(.png)).picture)
    let own = try #require(try await bo.profile.update("Bo", .set(.jpeg)).picture)
    let request = try await ida.contacts.request(bo.user.currentUser().code, .responder)
    #expect(try await bo.contact(request.id).link?.picture == nil)
    await expect(ClientError.fileNotFound) { () throws(ClientError) in
      try await bo.files.url(picture)
    }
    _ = try await bo.contacts.accept(request.id)
    #expect(try await bo.contact(request.id).link?.picture == picture)
    #expect(try await ida.contact(request.id).link?.picture == own)
    #expect(try await bo.files.download(bo.files.url(picture)) == .png)
    #expect(try await ida.files.download(ida.files.url(own)) == .jpeg)
    try await ida.contacts.delete(request.id)
    for (world, id) in [(bo, picture), (ida, own)] {
      await expect(ClientError.fileNotFound) { () throws(ClientError) in
        try await world.files.url(id)
      }
    }
  }
}
