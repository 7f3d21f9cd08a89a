import Clients
import Domain
import FoundationEssentials
import Terminal

@testable import Features

extension Screen {
  /// The Profile tab with the sheet of documents.
  private static func documents(
    _ change: (inout DocumentsFeature.State) -> Void
  ) -> AppFeature.State {
    changing(signedIn()) {
      $0.main?.selectedTab = .profile
      var documents = DocumentsFeature.State()
      documents.documents = Sample.documents
      change(&documents)
      $0.main?[DocumentsFeature.self] = documents
    }
  }

  /// The details of a dependent with the sheet of their documents.
  private static func shared(
    _ contact: Contact, _ change: (inout SharedDocumentsFeature.State) -> Void
  ) -> AppFeature.State {
    changing(signedIn { $0.contacts = [contact] }) {
      $0.main?.selectedTab = .dependents
      let snapshot = $0.main!.snapshot
      $0.main?[ContactDetailsFeature.self] = ContactDetailsFeature.State(
        contact: contact, snapshot: snapshot)
      var documents = SharedDocumentsFeature.State(contact: contact)
      documents.documents = Sample.documents
      change(&documents)
      $0.main?[SharedDocumentsFeature.self] = documents
    }
  }

  static let documents: [Screen] = [
    Screen(name: "documents") { documents { _ in } },
    Screen(name: "documents-empty") { documents { $0.documents = [] } },
    Screen(name: "documents-add") {
      documents {
        $0.entry = .init(
          purpose: .adding(.duringAlert), text: TextInput("~/papers/insurance.pdf", limit: 1_000))
      }
    },
    Screen(name: "documents-completions") {
      documents {
        $0.entry = .init(purpose: .adding(.always), text: TextInput("~/pa", limit: 1_000))
        $0.entry?.completions = ["~/papers/", "~/passport.pdf"]
      }
    },
    Screen(name: "documents-adding") {
      documents { $0.upload = .init(name: "insurance.pdf", percent: 64) }
    },
    Screen(name: "documents-failed") {
      documents {
        $0.failure = .init(
          text: ValidationError.fileSize.text, attempt: .add(path: "film.mp4", .always))
      }
    },
    Screen(name: "documents-removal") { documents { $0.removal = Sample.card } },
    Screen(name: "shared-documents") { shared(Sample.mary) { _ in } },
    Screen(name: "shared-documents-saving") {
      shared(Sample.charles) {
        $0.position.selected = 1
        $0.download = .init(document: Sample.card, percent: 38)
      }
    },
    Screen(name: "picture") {
      changing(signedIn { $0.user.picture = Sample.id(9) }) {
        $0.main?.selectedTab = .profile
        $0.main?.profile.portrait.picture = Sample.picture
        let user = $0.main!.snapshot.user
        $0.main?[PictureFeature.self] = PictureFeature.State(user: user, picture: Sample.picture)
      }
    },
    Screen(name: "profile-picture") {
      changing(signedIn()) {
        $0.main?.selectedTab = .profile
        $0.main?.profile.portrait.picture = Sample.picture
      }
    },
    Screen(name: "contact-picture") {
      changing(signedIn { $0.contacts = [Sample.charles] }) {
        $0.main?.selectedTab = .dependents
        var details = ContactDetailsFeature.State(
          contact: Sample.charles, snapshot: $0.main!.snapshot)
        details.portrait.picture = Sample.picture
        $0.main?[ContactDetailsFeature.self] = details
      }
    },
  ]
}
