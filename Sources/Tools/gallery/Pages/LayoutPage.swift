import Terminal

/// Layout: borders, stacks, alignment, shared space, and views that fit.
struct LayoutPage: View {
  var body: some View {
    VStack {
      HStack(spacing: 0) {
        ForEach(0..<Self.borders.count) { index in
          let (name, style) = Self.borders[index]
          Text(name).frame(maxWidth: .max).border(style: style)
        }
      }
      HStack(spacing: 0) {
        Panel("Stacks") {
          HStack {
            Text("left")
            Spacer()
            Text("right")
          }
          Divider(title: "a divider")
          HStack {
            Text("priority").layoutPriority(1)
            Text("gives way where there is little room").lineLimit(1).foreground(.dim)
          }
          HStack(alignment: .bottom, spacing: 2) {
            BigText("3")
            Text("bottom")
            Divider()
            VStack(alignment: .trailing) {
              Text("trailing")
              Text("edge")
            }
          }
          .frame(height: 4)
          ZStack(alignment: .topTrailing) {
            Text("a ground with something over it").frame(maxWidth: .max, alignment: .leading)
              .background(.field)
            Text(" new ").bold().background(.warning)
          }
        }
        Panel("Alignment") {
          ForEach(0..<3) { row in
            HStack(spacing: 1) {
              ForEach(0..<3) { column in
                Text("·x·").frame(
                  maxWidth: .max, maxHeight: .max,
                  alignment: Self.alignments[3 * row + column]
                )
                .background(.field)
              }
            }
            .frame(minHeight: 1, maxHeight: .max)
            if row < 2 { Text("") }
          }
        }
      }
      Panel("What fits") {
        ViewThatFits {
          Text("This sentence is shown in full because there is enough room for all of it.")
          Text("Little room, few words.")
        }
        .frame(width: 30, alignment: .leading)
        ViewThatFits {
          Text("This sentence is shown in full because there is enough room for it.")
          Text("Little room, few words.")
        }
        Text("hidden, its room is kept").hidden()
        SizeReader { size in
          Text("This panel has \(size.columns) columns inside.").foreground(.dim)
        }
        .frame(height: 1)
      }
      .frame(height: 6)
    }
  }

  private static let borders: [(String, BorderStyle)] = [
    ("rounded", .rounded), ("square", .square), ("double", .double), ("ascii", .ascii),
  ]

  private static let alignments: [Alignment] = [
    .topLeading, .top, .topTrailing, .leading, .center, .trailing, .bottomLeading, .bottom,
    .bottomTrailing,
  ]
}
