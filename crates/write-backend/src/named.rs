//! Values that have names: one list per type serves command lines, case names and files.

/// Gives the values of an enumeration their names: `ALL`, `name`, `Display`, `FromStr` and serde.
macro_rules! named {
    ($type:ident, $what:literal, [$($value:ident = $name:literal),+ $(,)?]) => {
        impl $type {
            /// All values, in the order of the tables.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// The names of [`ALL`](Self::ALL).
            pub(crate) const NAMES: [&'static str; Self::ALL.len()] = [$($name),+];

            /// The name on command lines, in case names and files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let position = $crate::named::position($what, &Self::NAMES, text)?;
                Ok(Self::ALL[position])
            }
        }

        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <String as ::serde::Deserialize>::deserialize(deserializer)?;
                name.parse().map_err(::serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use named;

/// Where `text` stands in `names`.
///
/// # Errors
/// A sentence that lists the names.
pub(crate) fn position(what: &str, names: &[&str], text: &str) -> Result<usize, String> {
    names
        .iter()
        .position(|name| *name == text)
        .ok_or_else(|| format!("unknown {what} `{text}`: it must be one of {}", names.join(", ")))
}
