import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// `lifesignal documents`: the user's emergency documents, and those of their
/// dependents (DOC-1).
struct DocumentsCommand: StoreCommand, VerbCommand {
  let verb: Verb<Self>
  @Dependency(\.documentsClient) var documentsClient
  @Dependency(\.fileStorageClient) var fileStorageClient
  @Dependency(\.downloadClient) var downloadClient
  @Dependency(\.fileClient) var fileClient
  @Dependency(\.contactsClient) var contactsClient

  init(verb: Verb<Self>) { self.verb = verb }

  static let declaration = CommandDeclaration(
    "documents", "Share files with your responders, and download theirs",
    discussion: [
      "You can keep up to 20 files of 10 MB each, such as a medical card or an itinerary."
        + " Responders with an account can open them: always, or only while your alert is on.",
      "A download never replaces a file: the new one gets a number.",
    ]
  ) { syntax in
    let what = syntax.argument(
      "WHAT", "A path to add; the name of a document; or a contact's name or its beginning",
      isRequired: false, namesContact: true)
    let other = syntax.argument(
      "NAME", "The new name, or the name of the contact's document", isRequired: false)
    syntax.verb(
      "list", "List your documents, or a contact's", isDefault: true, what.optional, run: Self.list)
    syntax.verb(
      "add", "Add a file", what,
      Flag("during-alert", "Responders can open it only while your alert is on"), run: Self.add)
    syntax.verb("remove", "Remove a document", what, run: Self.remove)
    syntax.verb("rename", "Rename a document", what, other, run: Self.rename)
    syntax.verb(
      "get", "Download a contact's document", what, other,
      Option("to", "DIR", "The folder to save it in (default: your documents folder)"),
      run: Self.get)
    return syntax.chosenVerb
  }

  private func remove(_ name: String) async throws -> Report {
    let document = try await own().named(name)
    try await fileStorageClient.delete(document.id)
    return Report(["\(document.name) is removed."])
  }

  private func rename(_ name: String, to other: String) async throws -> Report {
    let document = try await own().named(name)
    let renamed = try await documentsClient.rename(document.id, other)
    return Report(["Renamed \(document.name) to \(renamed.name)."])
  }

  private func own() async throws -> [EmergencyDocument] {
    try await documentsClient.documents()
  }

  /// Returns the user's dependent with this name.
  private func dependent(_ name: String) async throws -> Contact {
    try await contactsClient.contacts()
      .filter { $0.link?.state == .active && $0.roles.contains(.dependent) }
      .named(name, "You have no dependent with an account called \(quoted(name)).")
  }

  private func documents(of contact: Contact) async throws -> [EmergencyDocument] {
    try await documentsClient.documentsOf(contact.id)
  }

  private func list(_ name: String?) async throws -> Report {
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

  private func add(_ path: String, duringAlert: Bool) async throws -> Report {
    let access: EmergencyDocument.Access = duringAlert ? .duringAlert : .always
    let path = fileClient.path(path)
    let data: Data
    do throws(LocalFileError) {
      data = try await fileClient.contents(path, DocumentRules.sizeLimit)
    } catch {
      if case .tooLarge = error { throw ValidationError.fileSize }
      throw error
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let metadata = StorageMetadata(name: name, contentType: ContentType(of: data), access: access)
    for await event in fileStorageClient.upload(data, metadata) {
      switch event {
      case .progress: continue
      case .completed(let document):
        return Report(
          ["Added \(document.name). Responders with an account can open it \(access.displayText)."],
          warnings: try await hasReader()
            ? [] : ["Nobody can open it yet: none of your responders has an account here."])
      case .failed(let error): throw error
      }
    }
    throw CommandFailure("\(path) was not added.")
  }

  /// Whether a responder has an account, with which documents are opened.
  private func hasReader() async throws -> Bool {
    try await contactsClient.contacts().contains { $0.isResponder && $0.link != nil }
  }

  private func get(
    _ contact: String, _ name: String, _ folder: String?
  ) async throws -> Report {
    let document = try await documents(of: dependent(contact)).named(name)
    let url = try await fileStorageClient.url(document.id)
    let place =
      if let folder { fileClient.path(folder) } else { try await fileClient.documentsDirectory() }
    let request = DownloadRequest(
      url: url, expectedSize: document.size, name: document.name, folder: place)
    for await event in downloadClient.download(request) {
      switch event {
      case .progress: continue
      case .completed(let path): return Report(["Saved as \(path)."])
      case .failed(let error): throw error
      }
    }
    throw CommandFailure("\(document.name) was not saved.")
  }
}
