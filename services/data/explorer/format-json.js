/** Texts, brackets, commas and colons, and everything between them: numbers keep all of their digits. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Formats a JSON text without reading its values.
 *
 * @param {string} text
 */
export function formatJson(text) {
  const lines = [];
  let line = '';
  let depth = 0;
  const tokens = text.match(TOKEN) ?? [];
  const end = () => {
    lines.push(line);
    line = '  '.repeat(depth);
  };
  tokens.forEach((token, index) => {
    const isEmpty = /^[{[]$/.test(tokens[index - 1] ?? '') && /^[}\]]$/.test(token);
    if (token === '{' || token === '[') {
      line += token;
      depth += 1;
      if (!/^[}\]]$/.test(tokens[index + 1] ?? '')) end();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      if (!isEmpty) end();
      line += token;
    } else if (token === ',') {
      line += token;
      end();
    } else line += token === ':' ? ': ' : token;
  });
  return [...lines, line].join('\n');
}
