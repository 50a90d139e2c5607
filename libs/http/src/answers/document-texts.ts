import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { type TaggedText, taggedText } from './tagged-text.ts';

/** Loaded with the first document in YAML: most processes never write one, and it is made of many files. */
const yaml = (): typeof Yaml => createRequire(import.meta.url)('yaml') as typeof Yaml;

const FORMS = {
  json: (value: object) => JSON.stringify(value),
  yaml: (value: object) => `---\n${yaml().stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 })}`,
} as const;

/** A document in both of its forms, each written when it is first asked for. */
export type DocumentTexts = Readonly<Record<keyof typeof FORMS, () => TaggedText>>;

/** @param make the document, as a JSON value; called once at most */
export function documentTexts(make: () => object): DocumentTexts {
  let document: object | undefined;
  const once = (form: keyof typeof FORMS): (() => TaggedText) => {
    let text: TaggedText | undefined;
    return () => {
      document ??= make();
      text ??= taggedText(FORMS[form](document));
      return text;
    };
  };
  return { json: once('json'), yaml: once('yaml') };
}
