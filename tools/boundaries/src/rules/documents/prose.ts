import type { Finding, Rule } from '../../rule.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { overBaseline } from '../over-baseline.ts';
import { DOCUMENT } from './banned-words.ts';

/** Permitted numbers of findings, by form and group of folders. */
const BASELINE = 'tools/boundaries/prose-baseline.json';
const TEST_FILE = /\.test\.tsx?$/;
const CASE = /\/cases\/(?:[^/]+\/)*([^/]+)\/request\.json$/;
const TITLE =
  /(?:^|\n)[ \t]*(?:(?:test|it)(?:\.\w+)*(?:\([^\n]*\))?\(|(?:\]|`)\)\()\s*(?<quote>['"`])(?<title>[^\n]*?)\k<quote>,(?=\s*(?:async\b|\())/g;
const CODE_IN_DOCUMENT = /```[\s\S]*?```|\]\([^)]*\)|<a id="[^"]*">/g;

const EVERYWHERE = ['comment', 'title', 'case', 'document'];
const FORMS = [
  {
    form: 'headless',
    pattern: /\b(?:those|that)[ -]of\b/gi,
    advice: 'repeat the noun: "the policies of the roles"',
    kinds: EVERYWHERE,
  },
  {
    form: 'status',
    pattern:
      /\b(?:is|are) (?:an? )?`?(?:20[0-6]|30[1-8]|4(?:0\d|1[0-8]|2\d|31)|50[0-7])\b(?! (?:rows|bytes|characters)\b)/g,
    advice: 'a status is returned: "The gateway returns 429"',
    kinds: EVERYWHERE,
  },
  { form: 'none', pattern: /(?<!\bthere )\b(?:is|are)[ -]none\b/gi, advice: '"not a …", "no …"', kinds: EVERYWHERE },
  {
    form: 'opening',
    pattern: /^\*[\s*]*(?:What|Of|The same|Those|That|Undefined|Whose)\b/g,
    advice: 'a doc comment begins with a noun or a verb',
    kinds: ['comment'],
  },
  {
    form: 'sentence',
    pattern: /^(?:(?:of|what|those|that|have|the same)\b.*|\S+(?: \S+)?)$/gi,
    advice: 'a title is a sentence: subject, verb, result',
    kinds: ['title'],
  },
];

export const prose: Rule = {
  id: 'prose',
  statement:
    'Comments, titles of tests, names of cases and documents are plain sentences; prose-baseline.json only shrinks',
  because: 'a sentence without its noun, its verb or its result must be read twice',
  check: (workspace) => overBaseline(workspace, BASELINE, findingsOf(workspace)),
};

function* findingsOf(workspace: Workspace): Iterable<readonly [form: string, finding: Finding]> {
  for (const [kind, file, line, text] of passagesOf(workspace))
    for (const { form, pattern, advice } of FORMS.filter(({ kinds }) => kinds.includes(kind)))
      for (const { 0: words, index } of text.matchAll(pattern)) {
        const what = `says "${words.replace(/^[\s*]+/, '')}" in a ${kind} (${advice})`;
        yield [form, { file, line: line + linesIn(text.slice(0, index)), what }];
      }
}

export const commitSubjects: Rule = {
  id: 'commit-subjects',
  statement: 'The subject of a commit has a type and at most 72 characters',
  because: 'lists of commits cut longer ones; a reason belongs into the body',
  *check({ commits }) {
    for (const commit of commits)
      if (!/^\w+ (?=.{1,72}$)[a-z]+(?:\([^)]+\))?!?: \S/.test(commit))
        yield { file: 'git log', line: 1, what: `has "${commit}"` };
  },
};

type Passage = readonly [kind: string, file: string, line: number, text: string];

function* passagesOf({ texts, files }: Workspace): Iterable<Passage> {
  for (const { path, comments } of files) for (const { line, text } of comments) yield ['comment', path, line, text];
  for (const [file, text] of texts) {
    const name = CASE.exec(file)?.[1];
    if (name !== undefined) yield ['case', file, 1, name];
    if (TEST_FILE.test(file))
      for (const { 0: whole, index, groups } of text.matchAll(TITLE))
        yield ['title', file, 1 + linesIn(text.slice(0, index + whole.length)), groups?.title ?? ''];
    if (DOCUMENT.test(file))
      yield ['document', file, 1, text.replace(CODE_IN_DOCUMENT, (code) => code.replace(/[^\n]/g, ' '))];
  }
}

const linesIn = (text: string): number => text.split('\n').length - 1;
