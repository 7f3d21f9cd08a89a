import Features

/// `lifesignal open`: the app, at the place that a link names.
enum OpenCommand {
  static let declaration = CommandDeclaration(
    "open", "Open the app where a lifesignal:// link points",
    discussion: [
      "A link with somebody's code asks whether you want them as a contact. Nothing is sent before"
        + " you say so."
    ]
  ) { words in
    let link = words.argument(
      "LINK",
      "lifesignal://add/CODE, lifesignal://contact/ID, lifesignal://profile or lifesignal://alerts"
    ) { text in
      guard let link = DeepLink(text) else {
        throw InvalidValue(
          "\(quoted(text)) is no LifeSignal link.", advice: "Paste the whole link.")
      }
      return link
    }
    let appearance = AppearanceOptions.declare(in: &words)
    return { arguments in
      AppCommand(
        appearance: try appearance(arguments), debugging: DebugOptions(), replacesDamaged: false,
        link: try arguments.required(link))
    }
  }
}
