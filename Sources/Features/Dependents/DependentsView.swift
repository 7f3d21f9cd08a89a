import Composable
import Domain
import Terminal

/// Those for whom the person responds.
struct DependentsView: View {
  let store: StoreOf<ContactListFeature>

  var body: some View {
    ContactListView(store: store, title: "Dependents") { contact in
      HStack(spacing: 1) {
        Text("◌").foreground(.dim).frame(width: 1).accessibilityLabel("")
        Text(contact.name).frame(width: 26, alignment: .leading)
        Text(contact.phone ?? "").frame(width: 18, alignment: .leading)
        Text(contact.note.replacing("\n", with: " ")).foreground(.dim)
          .frame(maxWidth: .max, alignment: .leading)
      }
      .lineLimit(1).padding(.trailing, 1)
    } empty: {
      VStack(alignment: .center) {
        Text("You respond for nobody yet.")
        Text("Press a to keep somebody's phone and emergency note at hand.").foreground(.dim)
      }
    }
  }
}
