//! The command of a crontab line, taken apart into arguments where no shell is needed for that.

/// Words that only a shell knows how to carry out.
const BUILTINS: [&str; 27] = [
    "!", ".", ":", "alias", "bg", "case", "cd", "command", "eval", "exec", "exit", "export", "fg", "for", "if", "read",
    "return", "set", "shift", "source", "time", "trap", "ulimit", "umask", "unset", "until", "while",
];

/// How a command is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// As it is: the program and its arguments.
    Argv(Vec<String>),
    /// By a shell, for this reason.
    Shell(String),
}

/// Takes a command apart as a shell would: words, quotes and backslashes. Whatever else a shell acts upon needs one.
pub(super) fn read(command: &str) -> Start {
    match words(command) {
        Ok(argv) if argv.is_empty() => Start::Shell("there is no program in it".to_owned()),
        Ok(argv) if BUILTINS.contains(&argv[0].as_str()) => {
            Start::Shell(format!("`{}` is a word of the shell", argv[0]))
        }
        Ok(argv) => Start::Argv(argv),
        Err(reason) => Start::Shell(reason),
    }
}

/// Where in a word it is.
#[derive(Clone, Copy, PartialEq)]
enum Quote {
    None,
    Single,
    Double,
}

fn words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    // A word may be empty if it is quoted.
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
                let next = letters.next().ok_or("a backslash ends it")?;
                let word = word.get_or_insert_default();
                // Within quotes a backslash only escapes what would mean something there.
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

/// Refuses a letter outside of quotes that a shell acts upon.
fn bare(letter: char, next: Option<char>, word: Option<&str>, is_first: bool) -> Result<(), String> {
    let is_start = word.is_none();
    let is_special = match letter {
        '|' | '&' | ';' | '<' | '>' | '(' | ')' | '$' | '`' | '*' | '?' | '[' => true,
        '~' | '#' => is_start,
        // `{}` is plain, as `find` knows it.
        '{' => next != Some('}'),
        '}' => !word.is_some_and(|word| word.ends_with('{')),
        '=' => is_first,
        _ => false,
    };
    if is_special { Err(acted_upon(letter)) } else { Ok(()) }
}

fn acted_upon(letter: char) -> String {
    match letter {
        '=' => "it sets a variable first".to_owned(),
        letter => format!("`{letter}` is for the shell"),
    }
}
