import type { Memo } from '@lintel/cache';
import type { Messages, Model } from '@lintel/metadata';

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
