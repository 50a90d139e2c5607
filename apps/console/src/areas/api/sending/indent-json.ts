/** JSON with a line for each member, without a change of any digit. A text that is no JSON stays as it is. */
export function indentJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  return text.replace(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[{\]},:]|\s+/g, (token) => {
    if (token.startsWith('"')) return token;
    if (/^\s/.test(token)) return '';
    if (token === ',') return `,${newLine()}`;
    if (token === ':') return ': ';
    if (token === '[' || token === '{') {
      depth += 1;
      return token + newLine();
    }
    if (token === ']' || token === '}') {
      depth -= 1;
      return newLine() + token;
    }
    return token.replaceAll(/\s/g, '');
  });
}
