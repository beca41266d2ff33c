//! Commands of crontab lines: split into arguments if no shell is needed.

/// Shell builtins and keywords.
const BUILTINS: [&str; 27] = [
    "!", ".", ":", "alias", "bg", "case", "cd", "command", "eval", "exec", "exit", "export", "fg", "for", "if", "read",
    "return", "set", "shift", "source", "time", "trap", "ulimit", "umask", "unset", "until", "while",
];

/// How a command is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// Directly: the program and its arguments.
    Argv(Vec<String>),
    /// By a shell, for this reason.
    Shell(String),
}

/// Splits a command as a shell does: words, quotes and backslashes. Any other shell syntax makes it a [`Start::Shell`].
pub(super) fn read(command: &str) -> Start {
    match words(command) {
        Ok(argv) if argv.is_empty() => Start::Shell("it contains no program".to_owned()),
        Ok(argv) if BUILTINS.contains(&argv[0].as_str()) => Start::Shell(format!("`{}` is a shell builtin", argv[0])),
        Ok(argv) => Start::Argv(argv),
        Err(reason) => Start::Shell(reason),
    }
}

/// The kind of quotes around the current character.
#[derive(Clone, Copy, PartialEq)]
enum Quote {
    None,
    Single,
    Double,
}

fn words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    // `None` between words; a quoted word may be empty.
    let mut word: Option<String> = None;
    let mut quote = Quote::None;
    let mut letters = command.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Quote::Single, '\'') | (Quote::Double, '"') => quote = Quote::None,
            (Quote::None, '\'') => {
                quote = Quote::Single;
                word.get_or_insert_default();
            }
            (Quote::None, '"') => {
                quote = Quote::Double;
                word.get_or_insert_default();
            }
            (Quote::None | Quote::Double, '\\') => {
                let next = letters.next().ok_or("it ends with a backslash")?;
                let word = word.get_or_insert_default();
                // Within double quotes a backslash escapes only these characters.
                if quote == Quote::Double && !"\\\"$`".contains(next) {
                    word.push(letter);
                }
                word.push(next);
            }
            (Quote::Double, '$' | '`') => return Err(acted_upon(letter)),
            (Quote::None, ' ' | '\t') => words.extend(word.take()),
            (Quote::None, _) => {
                let next = letters.peek().copied();
                bare(letter, next, word.as_deref(), words.is_empty())?;
                word.get_or_insert_default().push(letter);
            }
            (_, _) => word.get_or_insert_default().push(letter),
        }
    }
    if quote != Quote::None {
        return Err("a quote is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

/// Rejects an unquoted character that has a meaning in a shell.
fn bare(letter: char, next: Option<char>, word: Option<&str>, is_first: bool) -> Result<(), String> {
    let is_start = word.is_none();
    let is_special = match letter {
        '|' | '&' | ';' | '<' | '>' | '(' | ')' | '$' | '`' | '*' | '?' | '[' => true,
        '~' | '#' => is_start,
        // `{}` has no meaning in a shell; `find` uses it.
        '{' => next != Some('}'),
        '}' => !word.is_some_and(|word| word.ends_with('{')),
        '=' => is_first,
        _ => false,
    };
    if is_special { Err(acted_upon(letter)) } else { Ok(()) }
}

fn acted_upon(letter: char) -> String {
    match letter {
        '=' => "it sets a variable".to_owned(),
        letter => format!("`{letter}` needs a shell"),
    }
}
