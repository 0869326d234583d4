// What VS Code's own tokenizer marks in texts: `node textmate.js MODULES GRAMMAR FILES-LIST`. The lines are those of the example `marks`.
const fs = require('fs');
const path = require('path');
const [modules, grammar, list] = process.argv.slice(2);
const needed = name => require(path.join(modules, 'node_modules', name));
const { Registry, parseRawGrammar, INITIAL } = needed('vscode-textmate');
const oniguruma = needed('vscode-oniguruma');

const KINDS = [
  ['keyword.control.lac', 'Keyword'], ['constant.language.lac', 'Keyword'], ['constant.numeric.lac', 'Number'],
  ['string.quoted.double.lac', 'Title'], ['comment.line.double-slash.lac', 'Comment'],
];

async function main() {
  await oniguruma.loadWASM(fs.readFileSync(path.join(modules, 'node_modules/vscode-oniguruma/release/onig.wasm')).buffer);
  const onigLib = Promise.resolve({
    createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
    createOnigString: text => new oniguruma.OnigString(text),
  });
  const loadGrammar = async () => parseRawGrammar(fs.readFileSync(grammar, 'utf8'), grammar);
  const lac = await new Registry({ onigLib, loadGrammar }).loadGrammar('source.lac');
  for (const file of fs.readFileSync(list, 'utf8').trim().split('\n')) {
    let stack = INITIAL;
    fs.readFileSync(file, 'utf8').split(/\r?\n/).forEach((line, at) => {
      const { tokens, ruleStack } = lac.tokenizeLine(line, stack);
      stack = ruleStack;
      for (const { scopes, startIndex, endIndex } of tokens) {
        const kind = KINDS.find(([scope]) => scopes.includes(scope));
        if (kind) console.log(`${file}:${at + 1} ${kind[1]} ${line.slice(startIndex, endIndex).trimEnd()}`);
      }
    });
  }
}

main();
