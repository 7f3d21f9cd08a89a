import Clients
import Composable
import Domain
import Terminal
import Testing

@testable import Features

struct ActionTitleTests {
  @Test(arguments: [
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
      .main(.responders(.destination(.presented(.form(.form(.edited(.name, .insert("G")))))))),
      "edited(.name, .insert(\"G\"))", "main.responders.destination.form.form"
    ),
    (.main(.responders(.destination(.dismiss))), "dismiss", "main.responders.destination"),
    (
      .main(.emergency(.messageEdited(.insertSecurely(SecureText("abc"))))),
      "messageEdited(.insertSecurely(•••))", "main.emergency"
    ),
  ])
  func anAction_isTitledByWhatHappenedAndWhere(
    action: AppFeature.Action, event: String, path: String
  ) {
    let title = ActionTitle(action)
    #expect(title.event == event)
    #expect(title.path == path)
  }
}
