//! Replication frames on the link: JSON text, or binary if both sides support it.
//!
//! The first byte of a binary frame names its encoding. The only encoding is MessagePack compressed with zstd.

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

use crate::bytes::Bytes32;

/// The protocol extension for binary replication frames.
pub const PACKED: &str = "zstd_msgpack";
/// The protocol extension of a runner that can fire its hub's schedules itself.
pub const STANDALONE: &str = "standalone";
/// The protocol extension of a runner that can run servers.
pub const SERVERS: &str = "servers";
/// The protocol extension of a runner that follows promotions sent at any time.
pub const PRIMARY: &str = "primary";
/// The largest decompressed frame. Without the limit, a few bytes could decompress to gigabytes.
pub const UNPACKED_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The id of a hub, derived from its key: the same for all processes of a hub and after a restart.
#[must_use]
pub fn hub_id(key: &Bytes32) -> HubId {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&key.0[..16]);
    HubId::from_bytes(bytes)
}

/// A frame that contains its type.
const ZSTD_MSGPACK: u8 = 1;
/// A page without its type: of priority `control`, and of priority `bulk`. With the type inside, serde would buffer the
/// whole page in an intermediate form to find it.
const ZSTD_MSGPACK_PAGE: [u8; 2] = [2, 3];
/// Higher levels take more time and save little.
const LEVEL: i32 = 1;

/// A replication frame that is not parsed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Packed {
    Text(String),
    Binary(Vec<u8>),
}

/// Why a frame is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAFrame(pub String);

impl std::fmt::Display for NotAFrame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Packed {
    /// Encodes a frame.
    ///
    /// # Errors
    /// The frame cannot be encoded; never for the frames of this program.
    pub fn new(frame: &impl Serialize, is_packed: bool) -> Result<Self, NotAFrame> {
        let failed = |error: &dyn std::fmt::Display| NotAFrame(format!("the frame cannot be encoded: {error}"));
        if !is_packed {
            return serde_json::to_string(frame).map(Self::Text).map_err(|error| failed(&error));
        }
        let plain = rmp_serde::to_vec_named(frame).map_err(|error| failed(&error))?;
        let mut bytes = vec![ZSTD_MSGPACK];
        zstd::stream::copy_encode(Cursor::new(plain), &mut bytes, LEVEL).map_err(|error| failed(&error))?;
        Ok(Self::Binary(bytes))
    }

    /// Encodes a frame of a runner.
    ///
    /// # Errors
    /// As for [`Packed::new`].
    pub fn from_origin(said: &FromOrigin<impl Serialize>, is_packed: bool) -> Result<Self, NotAFrame> {
        match said {
            FromOrigin::Response(page) if is_packed => {
                let packed = Self::new(page, true)?;
                Ok(match packed {
                    Self::Binary(mut bytes) => {
                        bytes[0] = ZSTD_MSGPACK_PAGE[page.priority as usize];
                        Self::Binary(bytes)
                    }
                    text => text,
                })
            }
            said => Self::new(said, is_packed),
        }
    }

    /// Parses a frame of a runner.
    ///
    /// # Errors
    /// As for [`Packed::read`].
    pub fn origin(&self) -> Result<FromOrigin<Value>, NotAFrame> {
        match self {
            Self::Binary(bytes) if bytes.first().is_some_and(|form| ZSTD_MSGPACK_PAGE.contains(form)) => {
                unpacked(&bytes[1..]).map(FromOrigin::Response)
            }
            other => other.read(),
        }
    }

    /// Whether it is a page with priority `bulk`: all other frames are sent before it.
    #[must_use]
    pub fn is_patient(&self) -> bool {
        match self {
            Self::Binary(bytes) => bytes.first() == Some(&ZSTD_MSGPACK_PAGE[SyncPriority::Bulk as usize]),
            Self::Text(text) => text.len() > 10_000 && text[..200.min(text.len())].contains("\"priority\":\"bulk\""),
        }
    }

    /// Parses a frame.
    ///
    /// # Errors
    /// The frame is invalid, has an unknown encoding or is too large when decompressed.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, NotAFrame> {
        let bytes = match self {
            Self::Text(text) => {
                return serde_json::from_str(text).map_err(|error| NotAFrame(format!("it cannot be parsed: {error}")));
            }
            Self::Binary(bytes) => bytes,
        };
        let Some((&ZSTD_MSGPACK, rest)) = bytes.split_first() else {
            return Err(NotAFrame("it has an unknown encoding".to_owned()));
        };
        unpacked(rest)
    }
}

fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, NotAFrame> {
    let broken = |error: std::io::Error| NotAFrame(format!("it cannot be decompressed: {error}"));
    let mut plain = Vec::new();
    let unfolding = zstd::stream::Decoder::new(bytes).map_err(broken)?;
    unfolding.take(UNPACKED_BYTES_MAX + 1).read_to_end(&mut plain).map_err(broken)?;
    if plain.len() as u64 > UNPACKED_BYTES_MAX {
        return Err(NotAFrame(format!("it is larger than {UNPACKED_BYTES_MAX} bytes when decompressed")));
    }
    rmp_serde::from_slice(&plain).map_err(|error| NotAFrame(format!("it cannot be parsed: {error}")))
}

/// Whether frames of this type belong to replication.
#[must_use]
pub fn is_about_rows(tag: &str) -> bool {
    const TAGS: [&str; 8] =
        ["catch_up", "sync_request", "sync_response", "sync_hint", "sync_error", "sync_check", "sync_sums", "forward"];
    TAGS.contains(&tag)
}

/// The type of a frame, wherever it is in the JSON object.
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
            priority: SyncPriority::Bulk,
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
    fn frames_round_trip_in_both_encodings() {
        for is_packed in [false, true] {
            let packed = Packed::new(&page(20), is_packed).expect("packs");
            assert_eq!(matches!(packed, Packed::Binary(_)), is_packed);
            assert_eq!(packed.read::<FromOrigin<Value>>().expect("reads"), page(20));
            let page_packed = Packed::from_origin(&page(100), is_packed).expect("packs");
            assert_eq!(page_packed.origin().expect("reads"), page(100));
            assert!(page_packed.is_patient(), "other frames are sent before a page of logs");
            let hint: FromOrigin<Value> = FromOrigin::Hint { priority: SyncPriority::Bulk };
            let packed = Packed::from_origin(&hint, is_packed).expect("packs");
            assert_eq!((packed.origin().expect("reads"), packed.is_patient()), (hint, false));
            let request: FromHub<Value> = FromHub::Request(Request {
                req: 9,
                priority: SyncPriority::Control,
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
    fn replication_frames_are_recognized_by_type() {
        let Packed::Text(text) = Packed::new(&page(1), false).expect("packs") else { panic!("is text") };
        assert!(text.starts_with(r#"{"type":"sync_response","req":1,"priority":"bulk""#), "{text}");
        assert!(is_about_rows(&tag_of(&text).expect("has one")));
        assert!(is_about_rows(&tag_of(r#"{"schema":1,"type":"catch_up"}"#).expect("has one")));
        assert!(!is_about_rows("heartbeat"));
        assert_eq!(tag_of("[]"), None);
    }

    #[test]
    fn invalid_frames_are_rejected() {
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
            (bomb, "when decompressed"),
            (vec![], "unknown encoding"),
            (vec![9, 1, 2], "unknown encoding"),
            (vec![ZSTD_MSGPACK, 1, 2], "cannot be decompressed"),
            (cut, "cannot be"),
        ] {
            let error = Packed::Binary(bytes).read::<FromOrigin<Value>>().expect_err(why);
            assert!(error.to_string().contains(why), "{error}");
        }
        assert!(Packed::Text("{}".to_owned()).read::<FromOrigin<Value>>().is_err());
    }
}
