//! One spelling per word: the same text in SQL, Rust, JSON, CLI and UI.

#[doc(hidden)]
pub use serde;

/// Declares an enum whose variants have one fixed text form, and everything that follows from it:
/// `as_str`, `Display`, `FromStr`, `ALL` and serde as that text.
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $name { $($(#[$vmeta])* $variant),+ }

        impl $name {
            /// Every word, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The one spelling of this word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::word::UnknownWord;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err($crate::word::UnknownWord { given: text.to_owned(), known: &[$($text),+] }),
                }
            }
        }

        impl $crate::word::serde::Serialize for $name {
            fn serialize<S: $crate::word::serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::word::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::word::serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as $crate::word::serde::Deserialize<'de>>::deserialize(d)?;
                text.parse().map_err($crate::word::serde::de::Error::custom)
            }
        }
    };
}

/// A text that is none of the words of its list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not one of {}", known.join(", "))]
pub struct UnknownWord {
    /// What was given.
    pub given: String,
    /// What would have been understood.
    pub known: &'static [&'static str],
}
