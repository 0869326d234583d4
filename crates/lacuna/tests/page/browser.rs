//! A real browser: Chromium, driven through ChromeDriver's WebDriver protocol.

use super::{http, scratch};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a page may take for anything.
const PATIENCE: Duration = Duration::from_secs(20);

/// A browser with one window; ended when it goes out of scope.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    profile: PathBuf,
}

impl Browser {
    /// Starts one; none, with a word about it, where there is none to start.
    pub(crate) fn start(name: &str) -> Option<Self> {
        let mut command = Command::new("chromedriver");
        let driver = command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let Ok(mut driver) = driver else {
            println!("SKIPPED: no `chromedriver` can be started, so the page was not tried in a browser");
            return None;
        };
        let lines = BufReader::new(driver.stdout.take().expect("its output is ours")).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            line.split("on port ").nth(1).filter(|_| line.contains("successfully"))?.trim_end_matches('.').parse().ok()
        });
        let port = port.expect("ChromeDriver says where it listens");
        let profile = scratch(name);
        let mut browser = Browser { driver, port, session: String::new(), profile };
        browser.open_window();
        Some(browser)
    }

    fn open_window(&mut self) {
        let profile = format!("--user-data-dir={}", self.profile.display());
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1500,1000",
            &profile,
        ];
        let options = json!({ "goog:chromeOptions": { "args": arguments } });
        let asked = json!({ "capabilities": { "alwaysMatch": options } });
        let (_, text) = http(self.port, "POST", "/session", Some(&asked.to_string()));
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        let session = answer["value"]["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {text}"));
        self.session = format!("/session/{session}");
    }

    fn ask(&self, what: &str, request: &Value) -> Value {
        let path = format!("{}{what}", self.session);
        let (code, text) = http(self.port, "POST", &path, Some(&request.to_string()));
        let answer: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(code, 200, "{what} {request}: {}", answer["value"]["message"]);
        answer["value"].clone()
    }

    /// Goes to an address, and waits until a state is shown.
    pub(crate) fn go(&self, url: &str) {
        // Another address of the same page alone would not load it again.
        self.ask("/url", &json!({ "url": "about:blank" }));
        self.ask("/url", &json!({ "url": url }));
        self.wait("return document.body.dataset.ready");
    }

    /// Shows pages on a screen of this size, in a scheme, `light` or `dark`.
    pub(crate) fn screen(&self, (width, height): (u32, u32), scheme: &str) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        for (command, parameters) in [("setDeviceMetricsOverride", size), ("setEmulatedMedia", media)] {
            let asked = json!({ "cmd": format!("Emulation.{command}"), "params": parameters });
            self.ask("/goog/cdp/execute", &asked);
        }
    }

    /// Waits until what was changed is drawn.
    pub(crate) fn settle(&self) {
        let script = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))";
        self.ask("/execute/async", &json!({ "script": script, "args": [] }));
        self.ask("/execute/async", &json!({ "script": script, "args": [] }));
    }

    /// What a script returns.
    pub(crate) fn script(&self, script: &str) -> Value {
        self.ask("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// What a script returns as text.
    pub(crate) fn text(&self, script: &str) -> String {
        self.script(script).as_str().unwrap_or_default().to_string()
    }

    /// Waits until a script returns something true.
    pub(crate) fn wait(&self, script: &str) -> Value {
        let started = Instant::now();
        loop {
            let value = self.script(script);
            if !matches!(value, Value::Null | Value::Bool(false)) {
                return value;
            }
            let status = || self.text("return document.getElementById('status')?.textContent");
            assert!(started.elapsed() < PATIENCE, "still waiting for `{script}`: {}", status());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses keys, one after the other.
    pub(crate) fn press(&self, keys: &[&str]) {
        let actions: Vec<Value> = keys
            .iter()
            .flat_map(|key| [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })])
            .collect();
        self.ask("/actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            http(self.port, "DELETE", &self.session, None);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
