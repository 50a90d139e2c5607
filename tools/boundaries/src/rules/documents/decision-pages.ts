import type { Finding, Rule } from '../../rule.ts';

const LIST = 'docs/adr/README.md';
const PAGE = /^docs\/adr\/((\d{4})-[a-z0-9-]+\.md)$/;
const HEADING = /^# (\d+)\. (.+)/;
const STATUS = /^Date: \d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\. Status: (?:proposed|accepted|superseded)\./m;
const MAX_WORDS = 400;

export const decisionPages: Rule = {
  id: 'decision-pages',
  statement: `A page of docs/adr has its number and title, a date, a status and at most ${MAX_WORDS} words outside of tables, and ${LIST} lists it`,
  because: 'a decision that is short, dated and listed is read; details belong to the pages that describe the system',
  *check({ texts }) {
    for (const [path, text] of texts) {
      const [, name, digits] = PAGE.exec(path) ?? [];
      if (name === undefined) continue;
      yield* pageProblems(path, text, Number(digits), name, texts.get(LIST) ?? '');
    }
  },
};

function* pageProblems(file: string, text: string, number: number, name: string, list: string): Iterable<Finding> {
  const [first = ''] = text.split('\n', 1);
  const [, found, title = ''] = HEADING.exec(first) ?? [];
  if (found !== String(number)) {
    yield { file, line: 1, what: `begins with "${first}", not with "# ${number}. <title>"` };
  } else {
    const row = `${number}. [${title}](${name})`;
    if (!list.split('\n').includes(row)) yield { file: LIST, line: 1, what: `does not list "${row}"` };
  }
  if (!STATUS.test(text)) yield { file, line: 1, what: 'has no line "Date: <year>-<month>-<day>. Status: …"' };
  const prose = text.replace(/^\|.*$/gm, '');
  const words = prose.split(/\s+/).filter((word) => word !== '').length;
  if (words > MAX_WORDS) yield { file, line: 1, what: `has ${words} words, the maximum is ${MAX_WORDS}` };
}
