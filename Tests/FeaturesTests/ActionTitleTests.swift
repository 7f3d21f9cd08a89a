import Clients
import Composable
import Domain
import Terminal
import Testing

@testable import Features

struct ActionTitleTests {
  @Test(
    arguments: [
      (AppFeature.Action.ticked, "ticked", ""),
      (.settingsAdopted(Appearance(theme: .dark), nil), "settingsAdopted", ""),
      (.main(.tabSelected(.alerts)), "tabSelected(.alerts)", "main"),
      (.changed(.user(Sample.user)), "user", "changed"),
      (.changed(.contacts([Sample.grace])), "contacts", "changed"),
      (
        .main(.emergency(.raiseFailed(.storage(.busy)))), "raiseFailed(.storage(.busy))",
        "main.emergency"
      ),
      (.main(.checkIn(.checkedIn(Sample.user))), "checkedIn", "main.checkIn"),
      (
        .main(.sheet(ContactFormFeature.self, .form(.edited(.name, .insert("G"))))),
        "edited(.name, .insert(\"G\"))", "main.path.ContactForm.form"
      ),
      (
        .main(.sheet(ContactDetailsFeature.self, .closeButtonTapped)), "closeButtonTapped",
        "main.path.ContactDetails"
      ),
      (.main(.closed(3)), "popFrom(id: #3)", "main.path"),
      (
        .main(.emergency(.messageEdited(.insertSecurely(SecureText("abc"))))),
        "messageEdited(.insertSecurely(•••))", "main.emergency"
      ),
    ] as [(AppFeature.Action, String, String)])
  func anAction_isTitledByWhatHappenedAndWhere(
    action: AppFeature.Action, event: String, path: String
  ) {
    let title = ActionTitle(action)
    #expect(title.event == event)
    #expect(title.path == path)
  }
}
