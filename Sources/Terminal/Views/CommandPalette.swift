/// A searchable list of the commands of the layer below and of other places, shown above everything
/// else like a sheet.
///
/// Keep the query and the position in the program's state. Enter closes the palette and carries out
/// the selected command; Esc closes it.
public struct CommandPalette: PrimitiveView {
  private let query: TextInput
  private let position: ListPosition
  private let otherCommands: [PaletteCommand]
  private let recent: [String]
  private let omitted: Set<String>
  private let onEdit: @MainActor (TextEdit) -> Void
  private let onMove: @MainActor (ListPosition) -> Void
  private let onClose: @MainActor () -> Void
  private let onUse: @MainActor (String) -> Void

  /// - Parameters:
  ///   - query: The text typed so far.
  ///   - position: The position of the command list.
  ///   - otherCommands: The commands of other places; see ``View/declaredCommands(size:)``. Their
  ///     actions should navigate there first.
  ///   - omitted: The full titles of commands to leave out, such as the palette itself.
  ///   - recent: The full titles of recently used commands, newest first. They precede equally good
  ///     matches.
  ///   - onEdit: Receives each edit of the query. Reset the position along with it.
  ///   - onMove: Receives the new position after a key press or mouse event.
  ///   - onClose: Closes the palette. Called before a command is carried out.
  ///   - onUse: Receives the full title of a command that is carried out.
  public init(
    query: TextInput, position: ListPosition, otherCommands: [PaletteCommand] = [],
    omitting omitted: Set<String> = [], recent: [String] = [],
    onEdit: @escaping @MainActor (TextEdit) -> Void,
    onMove: @escaping @MainActor (ListPosition) -> Void, onClose: @escaping @MainActor () -> Void,
    onUse: @escaping @MainActor (String) -> Void = { _ in }
  ) {
    self.query = query
    self.position = position
    self.otherCommands = otherCommands
    self.recent = recent
    self.omitted = omitted
    self.onEdit = onEdit
    self.onMove = onMove
    self.onClose = onClose
    self.onUse = onUse
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    Sheet("Commands", width: 60, height: 16) {
      PaletteContent(palette: self)
    }
    .command("esc", "Close", action: onClose)
    .build(in: tree)
  }

  fileprivate func content(_ commands: [Command], isASCII: Bool) -> some View {
    // Navigation keys make no sense in a palette: their effect is only visible in the view itself.
    let here = commands.filter { $0.isEnabled && $0.key?.isNavigationKey != true }
      .map { PaletteCommand($0, in: nil) }
    var titles = omitted
    let offered = (here + otherCommands).filter { titles.insert($0.command.fullTitle).inserted }
    let found = CommandSearch(query.text).matches(in: offered, recent: recent)
    return VStack {
      TextField("", input: query, isFocused: true, placeholder: "Type to search", onEdit: onEdit)
      List(
        found, position: position, onMove: onMove,
        onOpen: { placed in
          onClose()
          onUse(placed.command.fullTitle)
          placed.command.action()
        },
        row: { placed, _ in
          PaletteRow(
            title: placed.command.fullTitle, place: placed.place,
            key: placed.command.key?.displayName(ascii: isASCII))
        },
        empty: { Text("No command is called that.").foreground(.dim) }
      )
      .keepingRows()
    }
  }
}

private struct PaletteRow: View, Equatable {
  let title: String
  let place: String?
  let key: String?

  var body: some View {
    HStack {
      Text(title)
      Spacer()
      Text(place ?? "").foreground(.dim)
      Text(key ?? "").foreground(.accent).frame(width: 6, alignment: .trailing)
    }
    .lineLimit(1)
  }
}

extension KeyPress {
  /// Whether the key navigates, or opens the selected item.
  fileprivate var isNavigationKey: Bool {
    switch key {
    case .escape, .tab, .enter, .up, .down, .left, .right: true
    default: false
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

/// A command of the palette and the place it comes from.
public struct PaletteCommand {
  /// The command to carry out.
  public let command: Command
  /// The name of the place, or `nil` for a command that works where the palette was opened.
  public let place: String?

  /// - Parameters:
  ///   - command: The command to carry out.
  ///   - place: The place the command comes from, such as a tab.
  public init(_ command: Command, in place: String?) {
    self.command = command
    self.place = place
  }
}

extension View {
  /// Returns the commands the view would declare on a screen of the given size, so that a palette
  /// can offer the commands of places that aren't shown. Omits commands that need the view to be
  /// visible: those that act on a selection, and keys that aren't letters.
  @MainActor
  public func declaredCommands(size: Size) -> [Command] {
    let tree = ViewTree(theme: .dark)
    tree.layOut(self, size: size)
    var titles: Set<String> = []
    return tree.commands(beneath: 1).filter { command in
      command.isEnabled && !command.isAboutSelection && command.scope == .local
        && (command.key == nil || command.key?.text != nil)
        && titles.insert(command.fullTitle).inserted
    }
  }
}

/// Finds commands by typed text. Exact matches of the title come first, then titles that start with
/// the text, titles containing a word that does, keywords that do, and finally titles that contain
/// its letters in order. The short and the full title count alike. Recently used commands precede
/// equally good matches. A command that needs a keyword is found by the whole of one, or of its
/// title, alone.
struct CommandSearch {
  private let letters: [Character]

  init(_ query: String) {
    letters = query.lowercased().filter { $0 != " " }
  }

  /// - Parameter recent: The full titles of recently used commands, newest first.
  func matches(in commands: [PaletteCommand], recent: [String] = []) -> [PaletteCommand] {
    let ranked = commands.enumerated().compactMap { index, placed in
      rank(of: placed.command).map {
        let age = recent.firstIndex(of: placed.command.fullTitle) ?? recent.count
        return (rank: $0, age: age, index: index, placed: placed)
      }
    }
    return ranked.sorted { ($0.rank, $0.age, $0.index) < ($1.rank, $1.age, $1.index) }
      .map(\.placed)
  }

  /// Returns how well a command matches, from 0 for the best to 4, or `nil` if it doesn't.
  func rank(of command: Command) -> Int? {
    guard !command.needsKeyword else {
      let words = command.keywords + [command.fullTitle.lowercased()]
      return words.contains { $0.filter { $0 != " " }.elementsEqual(letters) } ? 3 : nil
    }
    let ranks = [command.title, command.fullTitle].compactMap { rank(ofTitle: $0.lowercased()) }
    let best = ranks.min()
    if let best, best < 3 { return best }
    if command.keywords.contains(where: { $0.filter { $0 != " " }.starts(with: letters) }) {
      return 3
    }
    return best
  }

  private func rank(ofTitle title: String) -> Int? {
    let joined = title.filter { $0 != " " }
    if joined.elementsEqual(letters) { return 0 }
    if joined.starts(with: letters) { return 1 }
    if title.split(separator: " ").contains(where: { $0.starts(with: letters) }) { return 2 }
    var rest = letters[...]
    for character in title where character == rest.first { rest.removeFirst() }
    return rest.isEmpty ? 4 : nil
  }
}
