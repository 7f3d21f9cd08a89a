/// An action that is available now, and the key that triggers it.
///
/// A view declares its commands with ``View/command(_:_:fullTitle:isEnabled:isHidden:scope:keywords:isAboutSelection:needsExactKey:action:)``.
/// The same declaration drives the keys, the help bar, the key sheet and the command palette.
public struct Command {
  /// Where a command works.
  public enum Scope: Hashable, Sendable {
    /// Only while no sheet or dialog is above the view that declares the command.
    case local
    /// Always, even below a sheet or dialog.
    case global
  }

  /// The key, or `nil` for a command that is only in the palette.
  public let key: KeyPress?
  /// What the command does, in a few words.
  public let title: String
  /// The title with its object, such as "Edit your profile" for "Edit". The palette shows this one,
  /// since nothing around it gives the context.
  public let fullTitle: String
  /// Whether the command can be used at the moment. If not, it is dimmed and its key does nothing.
  public let isEnabled: Bool
  /// Whether the help bar omits the command.
  public let isHidden: Bool
  /// Where the command works.
  public let scope: Scope
  /// Additional search terms for the palette, such as "mail".
  public let keywords: [String]
  /// Whether the palette shows the command only while the whole of a keyword, or of the full title,
  /// is typed.
  public let needsKeyword: Bool
  /// Whether the command acts on the selection, so that it is only offered where the selection is
  /// visible.
  public let isAboutSelection: Bool
  /// Whether only its own key triggers the command, not the key at the same position in another
  /// layout.
  public let needsExactKey: Bool
  /// Carries out the command.
  public let action: @MainActor () -> Void

  /// Creates a command; see
  /// ``View/command(_:_:fullTitle:isEnabled:isHidden:scope:keywords:isAboutSelection:needsExactKey:action:)``.
  public init(
    key: KeyPress?, title: String, fullTitle: String? = nil, isEnabled: Bool = true,
    isHidden: Bool = false, scope: Scope = .local, keywords: [String] = [],
    needsKeyword: Bool = false, isAboutSelection: Bool = false, needsExactKey: Bool = false,
    action: @escaping @MainActor () -> Void
  ) {
    self.key = key
    self.title = title
    self.fullTitle = fullTitle ?? title
    self.isEnabled = isEnabled
    self.isHidden = isHidden
    self.scope = scope
    self.keywords = keywords
    self.needsKeyword = needsKeyword
    self.isAboutSelection = isAboutSelection
    self.needsExactKey = needsExactKey
    self.action = action
  }
}

struct CommandView<Content: View>: PrimitiveView {
  let content: Content
  let command: Command

  func build(in tree: ViewTree) {
    tree.addResponder(.command(command)) { content.build(in: tree) }
  }
}

/// Several commands around one view, listed in order.
struct CommandsView<Content: View>: PrimitiveView {
  let content: Content
  let commands: ArraySlice<Command>

  func build(in tree: ViewTree) {
    guard let last = commands.last else { return content.build(in: tree) }
    tree.addResponder(.command(last)) {
      CommandsView(content: content, commands: commands.dropLast()).build(in: tree)
    }
  }
}

extension View {
  /// Declares several commands at once, listed in order.
  public func with(_ commands: [Command]) -> some View {
    CommandsView(content: self, commands: commands[...])
  }
}

extension View {
  /// Declares what a key does while the view is shown.
  ///
  /// If several commands share a key, the innermost one wins. The help bar lists commands in the
  /// order of declaration, inner views first.
  ///
  /// - Parameters:
  ///   - key: The key, as text: `"c"`, `"ctrl+p"`, `"esc"`.
  ///   - title: What the command does, in a few words, such as "check in".
  ///   - fullTitle: The title with its object, for the palette; the same as the title if `nil`.
  ///   - isEnabled: Whether the command can be used at the moment.
  ///   - isHidden: Whether the help bar omits the command.
  ///   - scope: Whether the command also works while a sheet or dialog is above the view.
  ///   - keywords: Additional search terms for the palette.
  ///   - isAboutSelection: Whether the command acts on the selection, so that the palette only
  ///     offers it where the selection is visible.
  ///   - needsExactKey: Whether only this key triggers the command, not the one at the same
  ///     position in another layout.
  ///   - action: Carries out the command.
  public func command(
    _ key: KeyPress, _ title: String, fullTitle: String? = nil, isEnabled: Bool = true,
    isHidden: Bool = false, scope: Command.Scope = .local, keywords: [String] = [],
    isAboutSelection: Bool = false, needsExactKey: Bool = false,
    action: @escaping @MainActor () -> Void
  ) -> some View {
    CommandView(
      content: self,
      command: Command(
        key: key, title: title, fullTitle: fullTitle, isEnabled: isEnabled, isHidden: isHidden,
        scope: scope, keywords: keywords, isAboutSelection: isAboutSelection,
        needsExactKey: needsExactKey, action: action))
  }

  /// Declares an action without a key, available in the palette while the view is shown.
  ///
  /// - Parameters:
  ///   - title: What the command does, in a few words. If several commands share a title, the
  ///     innermost one wins.
  ///   - fullTitle: The title with its object; the same as the title if `nil`.
  ///   - isEnabled: Whether the command can be used at the moment.
  ///   - keywords: Additional search terms for the palette.
  ///   - action: Carries out the command.
  public func command(
    _ title: String, fullTitle: String? = nil, isEnabled: Bool = true, keywords: [String] = [],
    action: @escaping @MainActor () -> Void
  ) -> some View {
    CommandView(
      content: self,
      command: Command(
        key: nil, title: title, fullTitle: fullTitle, isEnabled: isEnabled, keywords: keywords,
        action: action))
  }
}
