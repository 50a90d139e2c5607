import { createMessages, type MessageBundle } from '@lintel/metadata';
import type { Application } from '../application.ts';
import { throwProblems } from '../invalid-application.ts';
import { misspeltKeys } from './check-messages.ts';
import { MessageError, parseMessages } from './parse-messages.ts';
import { PLATFORM_BUNDLES } from './platform/platform-bundles.ts';

/** The messages files of an application that names none. */
const USUAL_NAMES = ['messages'];

/**
 * The application with the texts of its messages files: for each base name `<name>.properties` with the
 * default texts, and `<name>_<locale>.properties` for every available locale and its language. Files of
 * locales may be missing; the default file of a name that the application gives may not.
 *
 * @param locales `svc.core.available-locales`
 * @param findResource text of a resource of the application, undefined if there is none
 * @throws MessageError if a file is wrong or a key is probably misspelt, and the errors of `findResource`
 */
export async function loadMessages(
  application: Application,
  locales: readonly string[],
  findResource: (application: Application, name: string) => Promise<string | undefined>,
): Promise<Application> {
  if (application.resources === undefined && application.messageFiles === undefined) return application;
  const bundles: MessageBundle[] = [];
  const errors: MessageError[] = [];
  for (const name of application.messageFiles ?? USUAL_NAMES) {
    for (const locale of ['', ...withLanguages(locales)]) {
      const resource = `${name}${locale === '' ? '' : `_${locale}`}.properties`;
      const text = await findResource(application, resource);
      if (text !== undefined) {
        const bundle = parseMessages(text, locale, resource);
        bundles.push(bundle);
        errors.push(...misspeltKeys(application, bundle).map((problem) => new MessageError(resource, problem)));
      }
      if (text === undefined && locale === '' && application.messageFiles !== undefined)
        throw new MessageError(resource, 'there is no such resource');
    }
  }
  throwProblems(errors);
  return withMessages(application, bundles);
}

/** `zh_CN` may be written in `messages_zh` as well; files have the underscore form. */
const withLanguages = (locales: readonly string[]): ReadonlySet<string> =>
  new Set(
    locales
      .map((locale) => locale.replaceAll('-', '_'))
      .flatMap((locale) => [locale.split('_', 1)[0] ?? locale, locale]),
  );

/** The application with these texts before the platform's. */
export const withMessages = (application: Application, bundles: readonly MessageBundle[]): Application =>
  Object.freeze({ ...application, messages: createMessages(PLATFORM_BUNDLES, bundles) });
