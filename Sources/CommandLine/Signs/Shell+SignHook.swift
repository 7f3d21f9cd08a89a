import Clients
import Domain

extension Shell {
  /// Creates the shell of a login, from the value of `SHELL`; `nil` for one without a hook.
  init?(path: String) {
    self.init(rawValue: String(path.split(separator: "/").last ?? ""))
  }

  /// The start-up file of interactive shells, as people write its path.
  var startUpFile: String {
    switch self {
    case .bash: "~/.bashrc"
    case .zsh: "~/.zshrc"
    case .fish: "~/.config/fish/config.fish"
    }
  }

  /// The line in the start-up file that has commands check in (CHK-10).
  var signLine: String {
    switch self {
    case .bash, .zsh: #"eval "$(lifesignal signs hook \#(rawValue))""#
    case .fish: "lifesignal signs hook fish | source"
    }
  }

  /// What that line runs: a few lines that notice a command when it is entered, rather than when it
  /// ends, because a build that ends at night says nothing about the person.
  ///
  /// They start no process unless a sign is due, leave `$?` and the shell's options alone, print
  /// nothing, and can be read twice.
  func signHook(_ folders: Folders) -> String {
    switch self {
    case .bash: Self.bashHook
    case .zsh: Self.zshHook
    case .fish: Self.fishHook(folders)
    }
  }

  /// How long a shell waits between two signs, in seconds: a little longer than the store, by whose
  /// clock the second would otherwise come too soon.
  static let signPause = TimeSpan.seconds(SignOfLife.pause.seconds + 60)

  private static let send = "command lifesignal signs send"
  private static let silently = "</dev/null >/dev/null 2>&1"

  /// Uses `PS0`, which bash expands after a command was read and before it runs, but not for an empty
  /// line. An index into an array chooses whether that starts a process. Neither traces nor traps of
  /// the shell print anything there.
  private static let bashHook = """
    # Signs of life for bash, made by “lifesignal signs hook bash”.
    if [[ $- == *i* && -t 0 ]]; then
      if ((BASH_VERSINFO[0] < 5)); then
        printf 'lifesignal: signs of life need bash 5 or later.\\n' >&2
      elif [[ ${PS0+${PS0@a}} == *r* ]] || ! shopt -q promptvars; then
        printf 'lifesignal: no signs of life from this shell, because PS0 has no effect here.\\n' >&2
      elif [[ ${PS0-} != *__lifesignal_sign* ]]; then
        __lifesignal_sign=('' due) __lifesignal_sign_at=0
        PS0=${PS0-}'${__lifesignal_sign[EPOCHSECONDS>=__lifesignal_sign_at&&EPOCHSECONDS<__lifesignal_sign_at+\
    \(signPause.seconds)?0:(__lifesignal_sign_at=EPOCHSECONDS,1)]:+$({ \\\\\(send) & } \(silently))}'
      fi
    fi
    """

  private static let zshHook = """
    # Signs of life for zsh, made by “lifesignal signs hook zsh”.
    if [[ -o interactive && -n ${TTY-} ]]; then
      if zmodload -F zsh/datetime p:EPOCHSECONDS 2>/dev/null; then
        __lifesignal_sign() {
          { emulate -LR zsh } 2>/dev/null
          if (( EPOCHSECONDS < __lifesignal_sign_at || EPOCHSECONDS >= __lifesignal_sign_at + \(signPause.seconds) )); then
            __lifesignal_sign_at=$EPOCHSECONDS
            \\\(send) \(silently) &!
          fi
        }
        () {
          emulate -L zsh
          typeset -gi __lifesignal_sign_at
          typeset -ga preexec_functions
          preexec_functions=("${(@)preexec_functions:#__lifesignal_sign}" __lifesignal_sign)
        }
      else
        print -u2 'lifesignal: signs of life need the module zsh/datetime.'
      fi
    fi
    """

  /// fish has no clock of its own, but tells how old a file is.
  private static func fishHook(_ folders: Folders) -> String {
    let (folder, stamp) = (
      FishCompletions.quoted(folders.state), FishCompletions.quoted(folders.fishSignStamp)
    )
    return """
      # Signs of life for fish, made by “lifesignal signs hook fish”.
      if status is-interactive; and test -t 0
        if builtin -q path
          test -d \(folder); or command mkdir -p -m 700 \(folder)
          function __lifesignal_sign --on-event fish_preexec
            string match -qr '^\\s*[^\\s#]' -- "$argv"; or return
            set -l age (path mtime -R \(stamp) 2>/dev/null)
            if test -n "$age"; and test "$age" -ge 0; and test "$age" -lt \(signPause.seconds)
              return
            end
            # Without a place for the stamp, every command would start a process.
            test -w \(folder); and echo >\(stamp); or return
            # As a child of fish, it would stay as a dead process until the next command.
            command sh -c '\(send) &' \(silently)
          end
        else
          echo 'lifesignal: signs of life need fish 3.5 or later.' >&2
        end
      end
      """
  }
}
