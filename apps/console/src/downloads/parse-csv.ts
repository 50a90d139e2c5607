/**
 * The rows of a CSV document, as RFC 4180 describes it; the separator is the first of `,` `;` `|` and tab that stands
 * outside quotes in the first line.
 *
 * @param maxRows further rows are left out
 */
export function parseCsv(text: string, maxRows: number): readonly (readonly string[])[] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  const endRow = (): void => {
    rows.push([...row, field]);
    row = [];
    field = '';
  };
  for (let at = 0; at < text.length && rows.length < maxRows; at += 1) {
    const char = text[at];
    if (isQuoted && char === '"' && text[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) field += char;
    else if (char === separator) {
      row.push(field);
      field = '';
    } else if (char === '\n') endRow();
    else if (char !== '\r') field += char;
  }
  if ((field !== '' || row.length > 0) && rows.length < maxRows) endRow();
  return rows;
}

function separatorOf(text: string): string {
  let isQuoted = false;
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && ',;|\t'.includes(char)) return char;
    else if (!isQuoted && char === '\n') break;
  }
  return ',';
}
