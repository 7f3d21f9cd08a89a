import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// `lifesignal documents`: the user's emergency documents, and those of the people for whom they
/// respond (DOC-1).
struct DocumentsCommand: StoreCommand {
  var action: Action
  @Dependency(\.documentsClient) var documentsClient
  @Dependency(\.fileStorageClient) var fileStorageClient
  @Dependency(\.downloadClient) var downloadClient
  @Dependency(\.fileClient) var fileClient
  @Dependency(\.contactsClient) var contactsClient

  enum Action: Equatable, Sendable {
    case list(contact: String?)
    case add(path: String, EmergencyDocument.Access)
    case remove(name: String)
    case rename(name: String, to: String)
    case get(contact: String, name: String, folder: String?)
  }

  private enum Word: String, CaseIterable, Sendable { case list, add, remove, rename, get }

  private static let duringAlert = Flag(
    "during-alert", help: "Responders may open it only while an alert of yours is on; with add")
  private static let folder = Option(
    OptionDeclaration(
      name: "to", placeholder: "DIR",
      help: "The folder to save it in (default: your documents folder); with get"),
    read: { (text: String) throws(InvalidValue) in text })
  private static let word = Argument(
    ArgumentDeclaration(
      placeholder: "list|add|remove|rename|get", help: "What to do", isRequired: false,
      choices: [
        .init(name: "list", help: "List yours, or those of a contact; yours without a word too"),
        .init(name: "add", help: "Add the file at a path"),
        .init(name: "remove", help: "Remove the one with a name"),
        .init(name: "rename", help: "Give the one with a name another one"),
        .init(name: "get", help: "Save here what a contact keeps under a name"),
      ]),
    read: byName(Word.self))
  private static let subject = Argument(
    ArgumentDeclaration(
      placeholder: "WHAT",
      help: "A path, a name or a contact; of the latter enough of the beginning",
      isRequired: false),
    read: { (text: String) throws(InvalidValue) in text })
  private static let second = Argument(
    ArgumentDeclaration(
      placeholder: "NAME", help: "The other name, or the name of the contact's document",
      isRequired: false),
    read: { (text: String) throws(InvalidValue) in text })

  static let declaration = CommandDeclaration(
    name: "documents", summary: "Keep files for your responders, and open those of others",
    discussion: [
      "You may keep up to 20 files of 10 MB each, such as a medical card or an itinerary. Those who"
        + " respond for you and have an account here may open them: always, or only while an alert of"
        + " yours is on.",
      "A file that is saved here replaces none: the new one gets a number.",
    ],
    arguments: [word.declaration, subject.declaration, second.declaration],
    options: [duringAlert.declaration, folder.declaration],
    make: { (arguments: ParsedArguments) throws(UsageError) in
      DocumentsCommand(action: try action(arguments))
    })

  private static func action(_ arguments: ParsedArguments) throws(UsageError) -> Action {
    switch try arguments.argument(word) ?? .list {
    case .list: .list(contact: try arguments.argument(subject, at: 1))
    case .add:
      .add(
        path: try arguments.required(subject, at: 1),
        arguments.isSet(duringAlert) ? .duringAlert : .always)
    case .remove: .remove(name: try arguments.required(subject, at: 1))
    case .rename:
      .rename(
        name: try arguments.required(subject, at: 1), to: try arguments.required(second, at: 2))
    case .get:
      .get(
        contact: try arguments.required(subject, at: 1),
        name: try arguments.required(second, at: 2), folder: try arguments.value(of: folder))
    }
  }

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    switch action {
    case .list(let contact): return try await list(contact)
    case .add(let path, let access): return try await add(path, access)
    case .remove(let name):
      let document = try await own().named(name)
      try await attempt { () async throws(FileStorageError) in
        try await fileStorageClient.delete(document.id)
      }
      return Report(["\(document.name) is removed."])
    case .rename(let name, let other):
      let document = try await own().named(name)
      let renamed = try await attempt { () async throws(FileStorageError) in
        try await documentsClient.rename(document.id, other)
      }
      return Report(["\(document.name) is called \(renamed.name) now."])
    case .get(let contact, let name, let folder): return try await get(contact, name, folder)
    }
  }

  private func own() async throws(CommandFailure) -> [EmergencyDocument] {
    try await attempt { () async throws(FileStorageError) in try await documentsClient.documents() }
  }

  /// Somebody for whom the user responds.
  private func dependent(_ name: String) async throws(CommandFailure) -> Contact {
    try await attempt { () async throws(ContactsError) in try await contactsClient.contacts() }
      .filter { $0.link?.state == .active && $0.roles.contains(.dependent) }
      .named(name, "You respond for nobody with an account who is called \(quoted(name)).")
  }

  private func documents(of contact: Contact) async throws(CommandFailure) -> [EmergencyDocument] {
    try await attempt { () async throws(FileStorageError) in
      try await documentsClient.documentsOf(contact.id)
    }
  }

  private func list(_ name: String?) async throws(CommandFailure) -> Report {
    var documents: [EmergencyDocument]
    if let name {
      documents = try await self.documents(of: dependent(name))
    } else {
      documents = try await own()
    }
    guard !documents.isEmpty else {
      return Report(warnings: ["There are no documents."])
    }
    return Report(
      aligned(documents.map { [$0.name.sanitized, $0.sizeText, $0.access.displayText] }))
  }

  private func add(
    _ path: String, _ access: EmergencyDocument.Access
  ) async throws(CommandFailure) -> Report {
    let path = fileClient.path(path)
    let data: Data
    do throws(LocalFileError) {
      data = try await located { () async throws(LocalFileError) in
        try await fileClient.contents(path, DocumentRules.sizeLimit)
      }
    } catch {
      if case .tooLarge = error { throw CommandFailure(ValidationError.fileSize) }
      throw CommandFailure(error)
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let metadata = StorageMetadata(name: name, contentType: ContentType(of: data), access: access)
    for await event in fileStorageClient.upload(data, metadata) {
      switch event {
      case .progress: continue
      case .completed(let document):
        return Report([
          "\(document.name) is added. Your responders may open it \(access.displayText)."
        ])
      case .failed(let error): throw CommandFailure(error)
      }
    }
    throw CommandFailure("\(path) was not added.")
  }

  private func get(
    _ contact: String, _ name: String, _ folder: String?
  ) async throws(CommandFailure) -> Report {
    let document = try await documents(of: dependent(contact)).named(name)
    let url = try await attempt { () async throws(FileStorageError) in
      try await fileStorageClient.url(document.id)
    }
    let place = try await attempt { () async throws(LocalFileError) in
      if let folder { return fileClient.path(folder) }
      return try await fileClient.documentsDirectory()
    }
    let request = DownloadRequest(
      url: url, expectedSize: document.size, name: document.name, folder: place)
    for await event in downloadClient.download(request) {
      switch event {
      case .progress: continue
      case .completed(let path): return Report(["Saved as \(path)."])
      case .failed(let error): throw CommandFailure(error)
      }
    }
    throw CommandFailure("\(document.name) was not saved.")
  }
}

extension [EmergencyDocument] {
  /// The one that a name means: in any case, in full or by its beginning.
  fileprivate func named(_ name: String) throws(CommandFailure) -> EmergencyDocument {
    let typed = name.lowercased()
    let exact = filter { $0.name.lowercased() == typed }
    let matches = exact.isEmpty ? filter { $0.name.lowercased().hasPrefix(typed) } : exact
    guard let first = matches.first, !typed.isEmpty else {
      throw CommandFailure(
        "There is no document \(quoted(name)).", advice: "See lifesignal documents list.")
    }
    guard matches.count == 1 else {
      throw CommandFailure(
        "\(quoted(name)) may be \(matches.map(\.name).joinedAsList).",
        advice: "Write more of the name.")
    }
    return first
  }
}
