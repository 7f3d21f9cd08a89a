/// A command of the palette and the place it comes from.
public struct PaletteCommand {
  /// The command to carry out.
  public let command: Command
  /// The name of the place, or `nil` for a command that works where the palette was opened.
  public let place: String?

  /// - Parameter place: The place the command comes from, such as a tab.
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
