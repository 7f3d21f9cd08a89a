/// A line with the selection's background while it has the focus.
struct FocusableLine<Content: View>: View {
  let isFocused: Bool
  @ViewBuilder let content: () -> Content

  var body: some View {
    if isFocused {
      content().padding(.horizontal, 1).background(.selection)
    } else {
      content().padding(.horizontal, 1)
    }
  }
}
