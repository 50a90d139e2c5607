import { PlatformError } from '@lintel/errors';
import type { Request, RequestHandler, Response, Router } from 'express';
import { stringify } from 'yaml';
import { respondTagged } from './respond-tagged.ts';
import { type TaggedText, taggedText } from './tagged-text.ts';

const FORMS = {
  json: (value: object) => JSON.stringify(value),
  yaml: (value: object) => `---\n${stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 })}`,
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

/**
 * Serves `<path>.json` and `<path>.yaml` (contract-reports-files-metadata.md §4.1): with a tag and 304, 406 where
 * `Accept` excludes the form.
 */
export function serveDocument(
  router: Router,
  path: string,
  find: (request: Request, response: Response) => DocumentTexts | Promise<DocumentTexts>,
): void {
  const serve =
    (form: keyof typeof FORMS): RequestHandler =>
    async (request, response) => {
      const type = `application/${form}`;
      if (request.accepts(type) === false)
        throw new PlatformError('REQ_NOT_ACCEPTABLE', `This endpoint answers ${type}`);
      const texts = await find(request, response);
      respondTagged(request, response, texts[form](), type);
    };
  router.get(`${path}.json`, serve('json'));
  router.get(`${path}.yaml`, serve('yaml'));
}
