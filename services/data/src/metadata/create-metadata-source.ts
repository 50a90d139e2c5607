import type { Messages, Model } from '@lintel/metadata';
import { createMetadataTexts, type MetadataTexts } from './create-metadata-texts.ts';

/** The metadata of this moment in a locale. */
export type MetadataSource = (locale: string) => Promise<MetadataTexts>;

/**
 * Keeps the texts of one version of the model and the messages, by locale. Locales are those that the
 * service offers, so there are few.
 */
export function createMetadataSource(
  currentModel: () => Promise<Model>,
  currentMessages: () => Messages,
): MetadataSource {
  let version = '';
  let byLocale = new Map<string, MetadataTexts>();
  return async (locale) => {
    const model = await currentModel();
    const messages = currentMessages();
    const current = `${model.version} ${messages.version}`;
    if (current !== version) {
      version = current;
      byLocale = new Map();
    }
    const texts = byLocale.get(locale) ?? createMetadataTexts(model, messages, locale);
    byLocale.set(locale, texts);
    return texts;
  };
}
