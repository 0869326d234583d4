//! What a browser may load for the page: its own style and script, known by their hashes, and nothing else.

use crate::assets::Peer;
use sha2::{Digest, Sha256};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The content security policy of a page with this style and this script.
pub(crate) fn policy(style: &str, script: &str, peer: Peer) -> String {
    let connect = match peer {
        Peer::Server => "'self'",
        Peer::None => "'none'",
    };
    format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; connect-src {connect}; base-uri 'none'; form-action 'none'",
        source(script),
        source(style)
    )
}

/// A text between two tags, as a policy names it.
fn source(text: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(text)))
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let word = three.iter().fold(0, |word, byte| word << 8 | usize::from(*byte)) << (8 * (3 - three.len()));
        for n in 0..4 {
            let letter = char::from(ALPHABET[word >> (18 - 6 * n) & 63]);
            text.push(if n <= three.len() { letter } else { '=' });
        }
    }
    text
}
