// Starts `lacuna lsp` and lets it speak. Everything else is the server's.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function () {
  const command = workspace.getConfiguration("lacuna").get("path", "lacuna");
  const documentSelector = [{ scheme: "file", language: "lac" }];
  client = new LanguageClient("lacuna", "Lacuna", { command, args: ["lsp"] }, { documentSelector });
  return client.start();
};

exports.deactivate = () => client?.stop();
