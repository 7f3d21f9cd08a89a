import Terminal

/// A label and its value, as detail sheets show them.
struct DetailLine: View {
  let label: String
  let value: String

  init(_ label: String, _ value: String) {
    self.label = label
    self.value = value
  }

  var body: some View {
    HStack(alignment: .top, spacing: 2) {
      Text(label).foreground(.dim).frame(width: 14, alignment: .leading)
      Text(value).frame(maxWidth: .max, alignment: .leading)
    }
  }
}
