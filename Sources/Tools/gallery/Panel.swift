import Terminal

/// Views in a titled box that takes all available space.
struct Panel<Content: View>: View {
  private let title: String
  private let isFocused: Bool
  private let content: Content

  init(_ title: String, isFocused: Bool = false, @ViewBuilder content: () -> Content) {
    self.title = title
    self.isFocused = isFocused
    self.content = content()
  }

  var body: some View {
    content
      .padding(.horizontal, 1)
      .frame(maxWidth: .max, maxHeight: .max, alignment: .topLeading)
      .border(title: title, isFocused: isFocused)
  }
}

/// A view with its name beside it.
struct Specimen<Content: View>: View {
  private let name: String
  private let content: Content

  init(_ name: String, @ViewBuilder content: () -> Content) {
    self.name = name
    self.content = content()
  }

  var body: some View {
    HStack(spacing: 1) {
      Text(name).foreground(.dim).lineLimit(1).frame(width: 11, alignment: .leading)
        .layoutPriority(1)
      content
    }
  }
}
