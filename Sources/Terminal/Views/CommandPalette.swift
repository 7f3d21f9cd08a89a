/// All commands of the layer beneath, found by typing: over everything else, like a sheet.
///
/// The query and the position belong into the program's state; Enter closes the palette and does
/// what is selected, Esc closes it.
public struct CommandPalette: PrimitiveView {
  private let query: TextInput
  private let position: ListPosition
  private let onEdit: @MainActor (TextEdit) -> Void
  private let onMove: @MainActor (ListPosition) -> Void
  private let onClose: @MainActor () -> Void

  /// - Parameters:
  ///   - query: What has been typed.
  ///   - position: Where the list of commands stands.
  ///   - onEdit: Gets each edit of the query. The position is best reset with it.
  ///   - onMove: Gets the position that a key or the mouse asks for.
  ///   - onClose: The palette is to go. It is called before a command is carried out.
  public init(
    query: TextInput, position: ListPosition, onEdit: @escaping @MainActor (TextEdit) -> Void,
    onMove: @escaping @MainActor (ListPosition) -> Void, onClose: @escaping @MainActor () -> Void
  ) {
    self.query = query
    self.position = position
    self.onEdit = onEdit
    self.onMove = onMove
    self.onClose = onClose
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    Sheet("Commands", width: 60, height: 16) {
      PaletteContent(palette: self)
    }
    .command("esc", "Close", action: onClose)
    .build(in: tree)
  }

  fileprivate func content(_ commands: [Command], isASCII: Bool) -> some View {
    // A key that acts while something is typed, as that for an emergency, is pressed and not chosen.
    let offered = commands.filter { $0.isEnabled && !$0.passesThroughFields }
    let found = CommandSearch(query.text).matches(in: offered)
    return VStack {
      TextField("", input: query, isFocused: true, placeholder: "Type to search", onEdit: onEdit)
      List(
        found, position: position, onMove: onMove,
        onOpen: { command in
          onClose()
          command.action()
        },
        row: { command, _ in
          HStack {
            Text(command.title)
            Spacer()
            Text(command.key?.displayName(ascii: isASCII) ?? "").foreground(.accent)
          }
        },
        empty: { Text("No command is called that.").foreground(.dim) })
    }
  }
}

private struct PaletteContent: PrimitiveView {
  let palette: CommandPalette

  func build(in tree: ViewTree) {
    tree.addDeferred { commands, tree in
      palette.content(commands, isASCII: tree.theme.glyphs != .unicode).build(in: tree)
    }
  }
}
