import { posix } from 'node:path';
import type { Finding, Rule } from '../../rule.ts';
import type { Workspace } from '../../workspace/workspace.ts';

const CONTRACT = 'docs/contract/';
/** `contract/filters.md#values, #paths`: the form of docs/contract/README.md, and the end of a link to it. */
const CITATION = /\bcontract\/(?<page>[a-z-]+\.md)#(?<ids>[\w.-]*(?:(?:,| and)\s+(?:[*/]+\s+)?#[\w.-]+)*)/g;
const ANCHOR = /<a id="([^"]*)">/g;
const LINK = /\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]*))?\)/g;

/** Forms that cited documents outside of the repository, and what stands before a sign of sections that may stay. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/(?<!\/)\b[Dd]ecisions?(?:\.md)? \d/, 'a decision without contract/decisions.md#'],
  [/\b[Ss]pecification \d/, 'a section of a specification'],
  [/\bcontract-(?:entities-queries-services|security-core|reports-files-metadata)\b/, 'a document by its old name'],
  [/\bdesign\/[\w-]+\.md|\b(?:style-guide|ecosystem|house-2)\.md/, 'a design document'],
  [/§/, 'a section by its number'],
];
const STANDARD = /(?:RFC \d+|NIST SP [\w-]+|WHATWG \w+|W3C [\w ]+),?[^§]{0,60}§|^\W*§/;

/** Where old forms are needed to refuse them. */
const EXAMPLES = /^tools\/boundaries\/(?:src|test)\/rules\//;

export const citationsResolve: Rule = {
  id: 'citations-resolve',
  statement:
    'A citation is contract/<page>.md#<anchor> of a page and an anchor in docs/contract, and no file cites a document outside of the repository',
  because: 'a reader of a clone must be able to look up every rule that the code names',
  *check({ texts }) {
    const anchors = anchorsOf(texts);
    for (const [file, text] of texts) {
      if (EXAMPLES.test(file)) continue;
      yield* citations(file, text, anchors);
      yield* foreign(file, text);
      if (file.startsWith(CONTRACT)) yield* links(file, text, texts, anchors);
    }
    yield* repeated(texts);
  },
};

type Anchors = ReadonlyMap<string, ReadonlySet<string>>;

function anchorsOf(texts: Workspace['texts']): Anchors {
  const anchors = new Map<string, ReadonlySet<string>>();
  for (const [file, text] of texts)
    if (file.startsWith(CONTRACT) && file.endsWith('.md')) anchors.set(file.slice(CONTRACT.length), new Set(ids(text)));
  return anchors;
}

const ids = (text: string): readonly string[] => [...text.matchAll(ANCHOR)].map(([, id = '']) => id);

/** What a text cites: `page.md#anchor`. */
export function* citedAnchors(text: string): Iterable<{ readonly index: number; readonly anchor: string }> {
  for (const { index, groups } of text.matchAll(CITATION)) {
    const { page = '', ids: list = '' } = groups ?? {};
    for (const id of list.split(/[^\w.-]+/).filter((part) => part !== '' && part !== 'and'))
      yield { index, anchor: `${page}#${id.replace(/\.+$/, '')}` };
  }
}

function* citations(file: string, text: string, anchors: Anchors): Iterable<Finding> {
  for (const { index, anchor } of citedAnchors(text)) {
    const [page = '', id = ''] = anchor.split('#');
    const known = anchors.get(page);
    const line = lineOf(text, index);
    if (known === undefined) yield { file, line, what: `cites contract/${page}, which is not there` };
    else if (!known.has(id))
      yield { file, line, what: `cites contract/${page}#${id}, an anchor that the page does not have` };
  }
}

function* foreign(file: string, text: string): Iterable<Finding> {
  if (!FOREIGN.some(([form]) => form.test(text))) return;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries())
    for (const [form, what] of FOREIGN) {
      const [found] = form.exec(line) ?? [];
      if (found === undefined) continue;
      // The name of a standard may end the line before.
      if (found === '§' && STANDARD.test(line) && (!/^\W*§/.test(line) || /RFC \d+,?$/.test(lines[index - 1] ?? '')))
        continue;
      yield { file, line: index + 1, what: `cites ${what}: ${line.trim().slice(0, 80)}` };
    }
}

function* links(file: string, text: string, texts: Workspace['texts'], anchors: Anchors): Iterable<Finding> {
  for (const { index, 1: path = '', 2: id } of text.matchAll(LINK)) {
    const target = path === '' ? file : posix.join(posix.dirname(file), path);
    const known = anchors.get(target.slice(CONTRACT.length));
    const isThere = texts.has(target) || [...texts.keys()].some((one) => one.startsWith(`${target}/`));
    const hasAnchor = !target.startsWith(CONTRACT) || id === undefined || known?.has(id) === true;
    if (!isThere || !hasAnchor)
      yield {
        file,
        line: lineOf(text, index),
        what: `links to ${path}${id === undefined ? '' : `#${id}`}, which is not there`,
      };
  }
}

/** An anchor that a page has twice leads to the first only. */
function* repeated(texts: Workspace['texts']): Iterable<Finding> {
  for (const [file, text] of texts) {
    if (!file.startsWith(CONTRACT)) continue;
    const seen = new Set<string>();
    for (const { index, 1: id = '' } of text.matchAll(ANCHOR)) {
      if (seen.has(id)) yield { file, line: lineOf(text, index), what: `has the anchor ${id} twice` };
      seen.add(id);
    }
  }
}

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;
