import type { Finding, Rule } from '../../rule.ts';
import type { SourceFile } from '../../source/source-file.ts';

const CODE = /^(?:apps|libs|services|deploy|tools|tests|bench)\//;
export const DOCUMENT = /^(?:docs\/.*|README|CONTRIBUTING|CHANGELOG|SECURITY)\.md$/;

/** What the words stand for, by their forms; the message proposes it. */
const REPLACEMENTS: ReadonlyMap<string, string> = new Map(
  [
    ['place places', 'position, location, slot'],
    ['tell tells told', 'send, notify, return'],
    ['answer answers', 'response, result'],
    ['lane lanes', 'queue, partition key'],
    ['seal seals sealed', 'encrypt, sign'],
    ['whoever', 'the client, the caller, the reader'],
    ['behind', 'after'],
    ['heed heeds', 'apply, follow'],
    ['lest', 'so that … not'],
    ['most', 'max'],
    ['turn turns', 'permit, round'],
    ['mark marks', 'position, flag'],
  ].flatMap(([forms = '', replacement = '']) => forms.split(' ').map((form) => [form, replacement] as const)),
);

/** Comments are prose: words with a usual meaning there are refused in names only. */
const IN_COMMENTS = /\b(?:whoever|told|tells?|heeds?|lest|behind)\b/gi;
const IN_DOCUMENTS = new RegExp(`\\b(?:${[...REPLACEMENTS.keys()].join('|')})\\b`, 'gi');
/** Usual phrases, and parts of pages that quote code. */
const ALLOWED =
  /```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)|<a id="[^"]*">|\b(?:at (?:the )?most|most (?:of|common|recent|recently|other)|first place|in place|takes? place|in turn|turn(?:s|ed)? (?:on|off|into|out)|question marks?|quotation marks?|check marks?|byte order mark)\b/gi;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

export const bannedWords: Rule = {
  id: 'banned-words',
  statement: 'Names, comments and documents use the terms of the field: not place, told, answer, lane, seal, mark …',
  because: 'a word with many meanings, or with a meaning of our own, must be read twice',
  *check({ texts, files }) {
    for (const path of texts.keys()) if (CODE.test(path)) yield* ofPath(path);
    for (const file of files) if (CODE.test(file.path)) yield* ofSource(file);
    for (const [path, text] of texts) if (DOCUMENT.test(path)) yield* ofDocument(path, text);
  },
};

function* ofPath(path: string): Iterable<Finding> {
  for (const word of bannedPartsOf(path.slice(path.lastIndexOf('/') + 1)))
    yield { file: path, line: 1, what: problem(word, 'in the name of the file') };
}

function* ofSource({ path, declaredNames, comments }: SourceFile): Iterable<Finding> {
  for (const [name, line] of declaredNames)
    for (const word of bannedPartsOf(name)) yield { file: path, line, what: problem(word, `in ${name}`) };
  for (const { line, text } of comments)
    for (const { 0: word, index } of text.matchAll(IN_COMMENTS))
      yield { file: path, line: line + linesBefore(text, index), what: problem(word.toLowerCase(), 'in a comment') };
}

function* ofDocument(path: string, text: string): Iterable<Finding> {
  // What is allowed is blanked, so that lines stay where they are.
  const prose = text.replace(ALLOWED, (allowed) => allowed.replace(/[^\n]/g, ' '));
  for (const { 0: word, index } of prose.matchAll(IN_DOCUMENTS))
    yield { file: path, line: 1 + linesBefore(prose, index), what: problem(word.toLowerCase(), 'in the text') };
}

const known = new Map<string, readonly string[]>();

/** The banned words among the parts of a name in camel, pascal, snake or kebab case. */
function bannedPartsOf(name: string): readonly string[] {
  let found = known.get(name);
  if (found === undefined) {
    const parts = name.match(PART) ?? [];
    found = parts.map((part) => part.toLowerCase()).filter((part) => REPLACEMENTS.has(part));
    known.set(name, found);
  }
  return found;
}

const problem = (word: string, where: string): string => `says "${word}" ${where} (${REPLACEMENTS.get(word)})`;

const linesBefore = (text: string, index: number): number => text.slice(0, index).split('\n').length - 1;
