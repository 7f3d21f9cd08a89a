import Composable
import Domain
import Terminal

/// Those who are told.
struct RespondersView: View {
  let store: StoreOf<ContactListFeature>

  var body: some View {
    ContactListView(store: store, title: "Responders") { contact in
      HStack(spacing: 1) {
        Text(contact.email == nil ? "!" : "●")
          .foreground(contact.email == nil ? .danger : .calm).frame(width: 1)
          .accessibilityLabel("")
        Text(contact.name).frame(width: 26, alignment: .leading)
        Text(contact.email.map { "✉ \($0)" } ?? "cannot be told: no e-mail")
          .frame(maxWidth: .max, alignment: .leading)
        Text(contact.phone ?? "").foreground(.dim)
      }
      .lineLimit(1).padding(.trailing, 1)
    } empty: {
      VStack(alignment: .center) {
        Text("Nobody would be told.").bold().foreground(.danger)
        Text("Press a to add somebody who is told when you do not check in.").foreground(.dim)
      }
    }
  }
}
