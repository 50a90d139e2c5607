import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { Semaphore } from '@lintel/timing';
import type * as Yaml from 'yaml';
import { type TaggedText, taggedText } from '../responses/tagged-text.ts';

/** Loaded with the first YAML document: the library has many files, and most processes never write YAML. */
const yaml = (): typeof Yaml => createRequire(import.meta.url)('yaml') as typeof Yaml;

/**
 * Texts that a YAML 1.1 parser reads as a boolean, null, a number (`1:30` to the base 60, `1_000`), a date, a default
 * value (`=`) or a merge (`<<`). The library quotes those of YAML 1.2.
 */
const AMBIGUOUS = [
  /^(?:=|<<|~|y|n|yes|no|on|off|true|false|null)$/i,
  /^[-+]?(?:0x[\da-f_]+|0b[01_]+|0o[0-7_]+|\.inf|\.nan)$/i,
  /^[-+]?(?:\d[\d_]*(?::[0-5]?\d)*\.?[\d_]*|\.\d[\d_]*)(?:e[-+]?\d+)?$/i,
  /^\d{4}-\d\d?-\d\d?(?:[T\s].*)?$/i,
];
/** Line breaks in YAML 1.1 but not in JSON, with their escapes in quotes. */
const LINE_BREAKS: Readonly<Record<string, string>> = { '\u0085': '\\N', '\u2028': '\\L', '\u2029': '\\P' };
const LINE_BREAK = /[\u0085\u2028\u2029]/g;

/** YAML that parsers of 1.1 and 1.2 read as the same value: a text that one of them reads otherwise is quoted. */
function yamlOf(value: object): string {
  const { Document, visit, Scalar } = yaml();
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== 'string') return;
      const value: string = node.value;
      if (AMBIGUOUS.some((form) => form.test(value)) || value.search(LINE_BREAK) >= 0) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ lineWidth: 0 }).replace(LINE_BREAK, (character) => LINE_BREAKS[character] ?? '');
}

/** After this time the writing yields to other work. */
const SLICE_MS = 10;
/** Keys that are the same text in YAML. */
const PLAIN_KEY = /^[A-Za-z]+$/;
/** Levels that are written member by member: the document, `components` and `schemas`. */
const DIVIDED_LEVELS = 2;

/** The library needs half a second for half a megabyte, so members are written one at a time. */
async function yamlInSlices(value: object): Promise<string> {
  const pieces = ['---\n'];
  let pausedMs = performance.now();
  for (const piece of piecesOf(value, '', DIVIDED_LEVELS)) {
    pieces.push(piece);
    if (performance.now() - pausedMs < SLICE_MS) continue;
    await setImmediate();
    pausedMs = performance.now();
  }
  return pieces.join('');
}

function* piecesOf(value: object, indent: string, levels: number): Generator<string> {
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (levels > 0 && isDivisible(key, member)) {
      yield `${indent}${key}:\n`;
      yield* piecesOf(member, `${indent}  `, levels - 1);
    } else yield yamlOf({ [key]: member }).replace(/^(?=.)/gm, indent);
  }
}

const isDivisible = (key: string, member: unknown): member is object =>
  PLAIN_KEY.test(key) &&
  !AMBIGUOUS.some((form) => form.test(key)) &&
  typeof member === 'object' &&
  member !== null &&
  !Array.isArray(member) &&
  Object.values(member).some((each) => each !== undefined);

/** One document at a time: the slices of several would leave no time for other requests. */
const writing = new Semaphore(1);

/** A document as JSON and YAML, each written when it is first requested. */
export interface DocumentTexts {
  json(): TaggedText;
  yaml(): Promise<TaggedText>;
}

/** @param make creates the document as a JSON value; called at most once. Only texts are kept in memory */
export function documentTexts(make: () => object): DocumentTexts {
  // Replaced by its result: what it refers to may be larger than the text.
  let kept: TaggedText | (() => object) = make;
  let yamlText: Promise<TaggedText> | undefined;
  const json = (): TaggedText => {
    if (typeof kept === 'function') kept = taggedText(JSON.stringify(kept()));
    return kept;
  };
  return {
    json,
    yaml() {
      yamlText ??= writing.run(() => yamlInSlices(JSON.parse(json().text) as object)).then(taggedText);
      return yamlText;
    },
  };
}
