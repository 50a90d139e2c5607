import { posix } from 'node:path';
import type { Finding, Rule } from '../../rule.ts';
import type { Workspace } from '../../workspace/workspace.ts';

const PAGE = 'docs/vocabulary.md';
const ROW = /^\| (?<term>[^|]+) \| (?<meaning>[^|]+) \| (?<where>[^|]+) \|$/;
const PATH = /`([^`]+)`/g;
const LINK = /\]\((?!\w+:)([^)\s#]+)(?:#[^)\s]*)?\)/g;
const HEAD = /^\|(?: Term \|.*|(?:---\|){3})$/;

export const vocabularyNamesFiles: Rule = {
  id: 'vocabulary-names-files',
  statement: `Each row of ${PAGE} names files or folders that exist, each term has one row, and the terms are sorted`,
  because: 'a reader looks a term up, and continues in the file that defines it',
  *check({ texts }) {
    const page = texts.get(PAGE);
    if (page === undefined) return;
    let before = '';
    for (const [index, text] of page.split('\n').entries()) {
      const line = index + 1;
      for (const { 1: link = '' } of text.matchAll(LINK))
        if (!exists(posix.join(posix.dirname(PAGE), link), texts))
          yield finding(line, `links to ${link}, which is not there`);
      if (HEAD.test(text)) continue;
      const { term, where = '' } = ROW.exec(text)?.groups ?? {};
      if (term === undefined) {
        if (text.startsWith('|')) yield finding(line, 'has a row without three cells');
        continue;
      }
      if (before.localeCompare(term, 'en') >= 0)
        yield finding(line, `has ${term} after ${before}: terms are sorted, each once`);
      before = term;
      const paths = [...where.matchAll(PATH)].map(([, path = '']) => path);
      if (paths.length === 0) yield finding(line, `names no file or folder of ${term}`);
      for (const path of paths) if (!exists(path, texts)) yield finding(line, `names ${path}, which is not there`);
    }
  },
};

const exists = (path: string, texts: Workspace['texts']): boolean =>
  texts.has(path) || [...texts.keys()].some((one) => one.startsWith(`${path}/`));

const finding = (line: number, what: string): Finding => ({ file: PAGE, line, what });
