//! What is wrong with a text, as the protocol has it.

use crate::documents::{Document, Documents};
use crate::place;
use base::{Diagnostic, Severity, Source};
use lsp_types::{self as lsp, DiagnosticSeverity, NumberOrString, PublishDiagnosticsParams};
use program::{Loaded, Settings};

/// Says what is wrong with an open text and with the files that it uses: at once for the default variant and scenario, then for all.
/// Ends early when the text is not wanted any more.
pub(crate) fn say(
    documents: &Documents,
    document: &Document,
    is_wanted: &dyn Fn() -> bool,
    say: &dyn Fn(PublishDiagnosticsParams),
) {
    let loaded = documents.load(document);
    let publish = |rest: &[Diagnostic]| {
        let own = own_source(&loaded, document);
        let all = loaded.diagnostics.iter().chain(rest).map(|diagnostic| shown(&loaded, own, diagnostic));
        say(PublishDiagnosticsParams::new(document.uri.clone(), all.collect(), Some(document.version)));
    };
    if loaded.diagnostics.iter().any(Diagnostic::is_error) {
        return publish(&program::check_rest(&loaded));
    }
    let first = program::check(&loaded, &Settings::default()).1;
    publish(&first);
    if let Some(all) = program::check_all_while(&loaded, is_wanted).filter(|all| *all != first) {
        publish(&all);
    }
}

/// The file that is the document itself.
pub(crate) fn own_source<'a>(loaded: &'a Loaded, document: &Document) -> Option<&'a Source> {
    let name = place::path(&document.uri).display().to_string();
    loaded.sources.iter().map(|(_, source)| source).find(|source| source.name == name)
}

/// A diagnostic at its place; that of another file at the beginning, with its place in words.
fn shown(loaded: &Loaded, own: Option<&Source>, diagnostic: &Diagnostic) -> lsp::Diagnostic {
    let hint = diagnostic.hint.as_ref().map_or(String::new(), |hint| format!("\nhint: {hint}"));
    let message = format!("{}{hint}", diagnostic.message);
    let (range, message) = match (loaded.sources.place(diagnostic.span), own) {
        (Some((source, _)), Some(own)) if std::ptr::eq(source, own) => {
            (place::range(&source.text, diagnostic.span), message)
        }
        (Some((source, place)), _) => (lsp::Range::default(), format!("{}:{}: {message}", source.name, place.line)),
        (None, _) => (lsp::Range::default(), message),
    };
    let (severity, letter) = match diagnostic.severity {
        Severity::Error => (DiagnosticSeverity::ERROR, 'E'),
        Severity::Warning => (DiagnosticSeverity::WARNING, 'W'),
    };
    lsp::Diagnostic {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String(format!("{letter}{:04}", diagnostic.code.number))),
        source: Some("lacuna".into()),
        message,
        ..lsp::Diagnostic::default()
    }
}
