import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

@testable import Features

/// The lists of contacts with their sheets.
extension Screen {
  static let contacts: [Screen] = [
    Screen(name: "responders") {
      changing(signedIn()) { $0.main?.selectedTab = .responders }
    },
    Screen(name: "responders-empty") {
      changing(signedIn { $0.contacts = [] }) { $0.main?.selectedTab = .responders }
    },
    Screen(name: "responders-filter") {
      changing(signedIn()) {
        $0.main?.selectedTab = .responders
        $0.main?.responders.filter.apply(.begin)
        $0.main?.responders.filter.apply(.edit(.insert("gra")))
      }
    },
    Screen(name: "contact-form") {
      changing(signedIn()) {
        $0.main?.selectedTab = .responders
        var form = ContactFormFeature.State(adding: .responder)
        form.form[.name] = TextInput("Mary Ward", limit: 200)
        form.form[.address] = TextInput("mary@", limit: 300)
        _ = form.isRight()
        $0.main?[ContactFormFeature.self] = form
      }
    },
    Screen(name: "contact-form-discard") {
      changing(signedIn()) {
        $0.main?.selectedTab = .responders
        var form = ContactFormFeature.State(editing: Sample.grace)
        form.form.isConfirmingDiscard = true
        $0.main?[ContactFormFeature.self] = form
      }
    },
    Screen(name: "contact-form-newer") {
      changing(signedIn()) {
        $0.main?.selectedTab = .responders
        var form = ContactFormFeature.State(editing: Sample.grace)
        form.newer = Sample.alan
        form.newer?.note = String(repeating: "Penicillin allergy. ", count: 100)
        $0.main?[ContactFormFeature.self] = form
      }
    },
    Screen(name: "contact-details") {
      changing(signedIn { $0.alerts = alertReports }) {
        $0.main?.selectedTab = .responders
        let snapshot = $0.main!.snapshot
        $0.main?[ContactDetailsFeature.self] = ContactDetailsFeature.State(
          contact: Sample.alan, snapshot: snapshot)
      }
    },
    Screen(name: "contact-removal") {
      changing(signedIn { $0.contacts = [Sample.grace] }) {
        $0.main?.selectedTab = .responders
        var details = ContactDetailsFeature.State(
          contact: Sample.grace, snapshot: $0.main!.snapshot)
        details.question = .removal
        $0.main?[ContactDetailsFeature.self] = details
      }
    },
    Screen(name: "dependents") {
      changing(signedIn()) { $0.main?.selectedTab = .dependents }
    },
    Screen(name: "dependents-newest") {
      changing(
        signedIn {
          $0.contacts = [Sample.alan, Sample.grace].map { contact in
            var contact = contact
            contact.roles = .dependent
            return contact
          }
          $0.contacts[1].addedAt = Sample.now
        }
      ) {
        $0.main?.selectedTab = .dependents
        $0.main?.dependents.sort()
        $0.main?.dependents.sort()
      }
    },
    Screen(name: "contact-form-channels") {
      changing(signedIn { $0.contacts = [Sample.reachable] }) {
        $0.main?.selectedTab = .responders
        $0.main?[ContactFormFeature.self] = ContactFormFeature.State(editing: Sample.reachable)
      }
    },
    Screen(name: "contact-declining") {
      changing(signedIn { $0.contacts = [Sample.grace] }) {
        $0.main?.selectedTab = .responders
        let snapshot = $0.main!.snapshot
        $0.main?[ContactDetailsFeature.self] = ContactDetailsFeature.State(
          contact: Sample.grace, snapshot: snapshot)
        var declining = DecliningFeature.State(name: Sample.grace.name)
        declining.form.failure = ClientError.declineCodeUnknown.text
        $0.main?[DecliningFeature.self] = declining
      }
    },
  ]
}
