//! An answer, and the headers that tell a browser to trust nothing but it.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Serialize;

/// What a browser must do with anything that is not the page: nothing.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// An answer to a request.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    code: StatusCode,
    kind: &'static str,
    policy: String,
    text: Bytes,
}

impl Answer {
    /// The page, which may load what this policy says.
    pub(super) fn page(text: String, policy: &str) -> Self {
        let policy = format!("{policy}; frame-ancestors 'none'");
        Answer { code: StatusCode::OK, kind: "text/html; charset=utf-8", policy, text: text.into() }
    }

    /// What was asked for.
    pub(super) fn json(value: &impl Serialize) -> Self {
        Answer::data(StatusCode::OK, serde_json::to_string(value).expect("plain data"))
    }

    /// What is wrong, in words.
    pub(super) fn wrong(code: StatusCode, message: &str) -> Self {
        Answer::data(code, serde_json::json!({ "error": message }).to_string())
    }

    fn data(code: StatusCode, text: String) -> Self {
        Answer { code, kind: "application/json", policy: NOTHING.into(), text: text.into() }
    }

    /// The answer as HTTP has it.
    pub(super) fn response(self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(self.text));
        *response.status_mut() = self.code;
        let policy = HeaderValue::try_from(self.policy).expect("plain ASCII");
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        for (name, value) in fixed(self.kind) {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

/// The headers that say the same each time.
fn fixed(kind: &'static str) -> [(HeaderName, &'static str); 6] {
    [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        // The address holds the token: no other site may read it.
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ]
}
