import type { Memo } from '@lintel/cache';
import type { Messages, Model } from '@lintel/metadata';

/** How the caches of these values are declared. */
export const VERSION_AND_LOCALE = {
  where: ['data'],
  keyedBy: 'versions of the model and the messages, locale',
  maxEntries: 100,
  invalidatedBy: [],
  staleness: 'of its versions',
  whileAway: 'no source',
} as const;

/**
 * Creates a value once for a version of the model and the messages, and a locale; values of earlier versions are
 * dropped. Only the locales of the configuration occur, so their number is small.
 *
 * @param kept cache for the values of all locales
 * @returns a function for the current value in a locale
 */
export function byVersionAndLocale<T extends object>(
  kept: Memo<string, T>,
  currentModel: () => Model | Promise<Model>,
  currentMessages: () => Messages,
  make: (model: Model, messages: Messages, locale: string) => T,
): (locale: string) => Promise<T> {
  let version = '';
  return async (locale) => {
    const model = await currentModel();
    const messages = currentMessages();
    const current = `${model.version} ${messages.version}`;
    if (current !== version) {
      version = current;
      kept.dropAll();
    }
    return kept.get(locale, () => make(model, messages, locale));
  };
}
