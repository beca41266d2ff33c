//! Enums with a fixed text form: the same text in SQL, Rust, JSON, CLI and web UI.

#[doc(hidden)]
pub use serde;

/// Declares an enum whose variants have a fixed text form, with `as_str`, `Display`, `FromStr`, `ALL`, and serde as
/// that text.
#[macro_export]
macro_rules! string_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $name { $($(#[$vmeta])* $variant),+ }

        impl $name {
            /// Every variant, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The text form of this variant.
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
            type Err = $crate::string_enum::UnknownWord;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err($crate::string_enum::UnknownWord { given: text.to_owned(), known: &[$($text),+] }),
                }
            }
        }

        impl $crate::string_enum::serde::Serialize for $name {
            fn serialize<S: $crate::string_enum::serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::string_enum::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::string_enum::serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as $crate::string_enum::serde::Deserialize<'de>>::deserialize(d)?;
                text.parse().map_err($crate::string_enum::serde::de::Error::custom)
            }
        }
    };
}

/// A text that is not the text form of any variant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not one of {}", known.join(", "))]
pub struct UnknownWord {
    pub given: String,
    /// The text forms of all variants.
    pub known: &'static [&'static str],
}
