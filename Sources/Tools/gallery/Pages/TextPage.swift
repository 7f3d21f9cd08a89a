import Composable
import Terminal
import TerminalExtras

/// Text: styles, links, truncation and Markdown.
struct TextPage: View {
  let store: StoreOf<GalleryFeature>

  var body: some View {
    HStack(spacing: 0) {
      VStack {
        Panel("Styles") {
          Specimen("weight") { Text("bold ").bold() + Text("plain ") + Text("dim").dim() }
          Specimen("form") {
            Text("italic").italic() + Text(" ") + Text("struck").strike() + Text(" ")
              + Text("reverse").reverse()
          }
          Specimen("underline") {
            Text("one").underline() + Text(" ") + Text("two").underline(.double) + Text(" ")
              + Text("curly").underline(.curly, color: .danger) + Text(" ")
              + Text("dots").underline(.dotted) + Text(" ") + Text("dashes").underline(.dashed)
          }
          Specimen("meaning") {
            Text("● calm ").foreground(.calm) + Text("◐ soon ").foreground(.warning)
              + Text("▲ late").foreground(.danger)
          }
          Specimen("link") {
            Text("swift.org").link(Hyperlink("https://swift.org")).foreground(.accent)
          }
          Specimen("labelled") { LabeledContent("phone", value: "+44 20 7183", labelWidth: 6) }
          Specimen("scripts") { Text("日本語 한국어 Ελληνικά e\u{301} 👩‍🚀") }
        }
        Panel("Too long") {
          Specimen("tail") { Text(long).lineLimit(1) }
          Specimen("head") { Text(long).lineLimit(1).truncation(.head) }
          Specimen("middle") { Text(long).lineLimit(1).truncation(.middle) }
          Specimen("two lines") { Text(long).lineLimit(2) }
          Specimen("centred") {
            Text("aligned\nto the middle").multilineTextAlignment(.center)
              .frame(maxWidth: .max)
          }
          Specimen("unclean") { Text("\u{1B}[31mred?\u{7} \u{202E}esrever\u{202C}") }
        }
      }
      ScrollView(
        offset: store.scroll, isFocused: true, onScroll: { store.send(.scrolled($0)) }
      ) {
        Markdown(Self.markdown).padding(.horizontal, 1)
      }
      .border(title: "Markdown", footer: "↑ ↓", isFocused: true)
    }
  }

  private let long = "The Analytical Engine weaves algebraical patterns just as the loom does."

  private static let markdown = """
    # Notes
    Text with **strong** and *quiet* words, ~~mistakes~~ and `code`.
    See [the manual](https://example.org/manual) or write to <mailto:ada@example.org>.

    ## In an emergency
    1. Call first.
    2. The key is with the **neighbour**, no 4.
      - ring twice
      - ask for Mary

    > Allergic to penicillin.
    > Blood group 0 negative.

    ```
    lifesignal check-in
    lifesignal status --json
    ```
    ---
    ### Small print
    Whatever is written here is cleaned before it is shown, and a long text is scrolled.
    """
}
