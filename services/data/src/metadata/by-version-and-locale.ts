import type { Memo } from '@lintel/cache';
import type { Messages, Model } from '@lintel/metadata';

/**
 * Makes a value once for a version of the model and the messages, and a locale; those of earlier versions are
 * forgotten. Locales are those that the service offers, so there are few.
 *
 * @param kept with room for the values of all locales
 * @returns the value of this moment in a locale
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
