//! Frames about rows, as they go over the link: JSON text always, packed where both sides say they can.
//!
//! A packed frame is a byte that names the packing, then the rest. Only one packing is known: MessagePack in zstd.

use std::{
    borrow::Cow,
    io::{Cursor, Read as _},
};

use domain::{
    HubId,
    sync::{SyncPriority, frame::FromOrigin},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::link::Bytes32;

/// The word by which both sides say that they understand packed frames.
pub const PACKED: &str = "zstd_msgpack";
/// The word by which a runner says that it can fire its hub's schedules by itself.
pub const DESK: &str = "desk";
/// A runner that keeps servers of its hub.
pub const SERVERS: &str = "servers";
/// A runner that follows promotions: it can be told of one at any time.
pub const HOME: &str = "home";
/// The most a packed frame may unfold to: a few bytes can be made to unfold to gigabytes.
pub const UNPACKED_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The logical hub behind a key: the same for all its replicas and restarts.
#[must_use]
pub fn hub_id(key: &Bytes32) -> HubId {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&key.0[..16]);
    HubId::from_bytes(bytes)
}

/// A frame with its type in it.
const ZSTD_MSGPACK: u8 = 1;
/// A page, without its type around it: of the control lane, and of the bulk lane. To find the type inside, all of the page
/// would be kept in a form between.
const ZSTD_MSGPACK_PAGE: [u8; 2] = [2, 3];
/// More costs time and saves little.
const LEVEL: i32 = 1;

/// A frame about rows that is not taken apart yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Packed {
    /// JSON.
    Text(String),
    /// Packed.
    Binary(Vec<u8>),
}

/// Why a frame cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAFrame(pub String);

impl std::fmt::Display for NotAFrame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Packed {
    /// Packs a frame.
    ///
    /// # Errors
    /// It cannot be written; ours can.
    pub fn new(frame: &impl Serialize, is_packed: bool) -> Result<Self, NotAFrame> {
        let failed = |error: &dyn std::fmt::Display| NotAFrame(format!("a frame cannot be written: {error}"));
        if !is_packed {
            return serde_json::to_string(frame).map(Self::Text).map_err(|error| failed(&error));
        }
        let plain = rmp_serde::to_vec_named(frame).map_err(|error| failed(&error))?;
        let mut bytes = vec![ZSTD_MSGPACK];
        zstd::stream::copy_encode(Cursor::new(plain), &mut bytes, LEVEL).map_err(|error| failed(&error))?;
        Ok(Self::Binary(bytes))
    }

    /// Packs what a runner says.
    ///
    /// # Errors
    /// It cannot be written; ours can.
    pub fn from_origin(said: &FromOrigin<impl Serialize>, is_packed: bool) -> Result<Self, NotAFrame> {
        match said {
            FromOrigin::Response(page) if is_packed => {
                let packed = Self::new(page, true)?;
                Ok(match packed {
                    Self::Binary(mut bytes) => {
                        bytes[0] = ZSTD_MSGPACK_PAGE[page.lane as usize];
                        Self::Binary(bytes)
                    }
                    text => text,
                })
            }
            said => Self::new(said, is_packed),
        }
    }

    /// What a runner said.
    ///
    /// # Errors
    /// As [`Packed::read`].
    pub fn origin(&self) -> Result<FromOrigin<Value>, NotAFrame> {
        match self {
            Self::Binary(bytes) if bytes.first().is_some_and(|form| ZSTD_MSGPACK_PAGE.contains(form)) => {
                unpacked(&bytes[1..]).map(FromOrigin::Response)
            }
            other => other.read(),
        }
    }

    /// Whether it is a page of the bulk lane: everything else goes before it.
    #[must_use]
    pub fn is_patient(&self) -> bool {
        match self {
            Self::Binary(bytes) => bytes.first() == Some(&ZSTD_MSGPACK_PAGE[SyncPriority::Bulk as usize]),
            Self::Text(text) => text.len() > 10_000 && text[..200.min(text.len())].contains("\"lane\":\"bulk\""),
        }
    }

    /// Takes a frame apart.
    ///
    /// # Errors
    /// It is no frame, is packed in a way that is not known, or unfolds to more than may be.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, NotAFrame> {
        let bytes = match self {
            Self::Text(text) => {
                return serde_json::from_str(text).map_err(|error| NotAFrame(format!("it cannot be read: {error}")));
            }
            Self::Binary(bytes) => bytes,
        };
        let Some((&ZSTD_MSGPACK, rest)) = bytes.split_first() else {
            return Err(NotAFrame("it is packed in a way that is not known".to_owned()));
        };
        unpacked(rest)
    }
}

fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, NotAFrame> {
    let broken = |error: std::io::Error| NotAFrame(format!("it cannot be unpacked: {error}"));
    let mut plain = Vec::new();
    let unfolding = zstd::stream::Decoder::new(bytes).map_err(broken)?;
    unfolding.take(UNPACKED_BYTES_MAX + 1).read_to_end(&mut plain).map_err(broken)?;
    if plain.len() as u64 > UNPACKED_BYTES_MAX {
        return Err(NotAFrame(format!("it unfolds to more than {UNPACKED_BYTES_MAX} bytes")));
    }
    rmp_serde::from_slice(&plain).map_err(|error| NotAFrame(format!("it cannot be read: {error}")))
}

/// Whether frames of this type are about rows.
#[must_use]
pub fn is_about_rows(tag: &str) -> bool {
    const TAGS: [&str; 8] =
        ["catch_up", "sync_request", "sync_response", "sync_hint", "sync_error", "sync_check", "sync_sums", "forward"];
    TAGS.contains(&tag)
}

/// The type of a frame that is not written as we write it.
#[must_use]
pub fn tag_of(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Tagged<'t> {
        #[serde(borrow, rename = "type")]
        tag: Cow<'t, str>,
    }
    serde_json::from_str::<Tagged<'_>>(text).ok().map(|tagged| tagged.tag.into_owned())
}

#[cfg(test)]
mod tests {
    use domain::sync::{
        Budget, Mark, Place, Version,
        frame::{FromHub, Request, Response, Row},
    };
    use serde_json::json;

    use super::*;

    fn page(rows: usize) -> FromOrigin<Value> {
        let place = Place { at: Version { epoch: 3, seq: 7 }, mark: Mark(u64::MAX) };
        let row = |n: usize| Row {
            table: "log".into(),
            id: format!("id:{n}"),
            version: place.at,
            mark: place.mark,
            is_deleted: n.is_multiple_of(2),
            body: json!({"text": "ö", "n": n, "none": null, "list": [1.5, -7, true]}),
        };
        FromOrigin::Response(Response {
            req: 1,
            lane: SyncPriority::Bulk,
            epoch: 3,
            from: 0,
            upto: place,
            head: place,
            has_more: false,
            is_reset: true,
            floor: 0,
            rows: (0..rows).map(row).collect(),
        })
    }

    #[test]
    fn a_frame_is_the_same_in_both_forms() {
        for is_packed in [false, true] {
            let packed = Packed::new(&page(20), is_packed).expect("packs");
            assert_eq!(matches!(packed, Packed::Binary(_)), is_packed);
            assert_eq!(packed.read::<FromOrigin<Value>>().expect("reads"), page(20));
            let page_packed = Packed::from_origin(&page(100), is_packed).expect("packs");
            assert_eq!(page_packed.origin().expect("reads"), page(100));
            assert!(page_packed.is_patient(), "a page of logs lets others go first");
            let hint: FromOrigin<Value> = FromOrigin::Hint { lane: SyncPriority::Bulk };
            let packed = Packed::from_origin(&hint, is_packed).expect("packs");
            assert_eq!((packed.origin().expect("reads"), packed.is_patient()), (hint, false));
            let request: FromHub<Value> = FromHub::Request(Request {
                req: 9,
                lane: SyncPriority::Control,
                since: None,
                witnesses: vec![Place { at: Version { epoch: 1, seq: 2 }, mark: Mark(3) }],
                resetting_over: Some(4),
                budget: Budget { rows: 5, bytes: 6 },
            });
            let packed = Packed::new(&request, is_packed).expect("packs");
            assert_eq!(packed.read::<FromHub<Value>>().expect("reads"), request);
        }
    }

    #[test]
    fn frames_have_the_names_they_are_known_by() {
        let Packed::Text(text) = Packed::new(&page(1), false).expect("packs") else { panic!("is text") };
        assert!(text.starts_with(r#"{"type":"sync_response","req":1,"lane":"bulk""#), "{text}");
        assert!(is_about_rows(&tag_of(&text).expect("has one")));
        assert!(is_about_rows(&tag_of(r#"{"schema":1,"type":"catch_up"}"#).expect("has one")));
        assert!(!is_about_rows("heartbeat"));
        assert_eq!(tag_of("[]"), None);
    }

    #[test]
    fn what_is_no_frame_is_refused() {
        let bomb = {
            let mut bytes = vec![ZSTD_MSGPACK];
            zstd::stream::copy_encode(std::io::repeat(0).take(1 << 30), &mut bytes, 3).expect("packs");
            bytes
        };
        assert!(bomb.len() < 200_000, "a gigabyte in {} bytes", bomb.len());
        let mut cut = match Packed::new(&page(20), true).expect("packs") {
            Packed::Binary(bytes) => bytes,
            Packed::Text(_) => panic!("is packed"),
        };
        cut.truncate(cut.len() / 2);
        for (bytes, why) in [
            (bomb, "unfolds to more than"),
            (vec![], "packed in a way that is not known"),
            (vec![9, 1, 2], "packed in a way that is not known"),
            (vec![ZSTD_MSGPACK, 1, 2], "cannot be unpacked"),
            (cut, "cannot be"),
        ] {
            let error = Packed::Binary(bytes).read::<FromOrigin<Value>>().expect_err(why);
            assert!(error.to_string().contains(why), "{error}");
        }
        assert!(Packed::Text("{}".to_owned()).read::<FromOrigin<Value>>().is_err());
    }
}
