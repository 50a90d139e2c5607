import { createMemo, declareCache, type InvalidatedCache } from '@lintel/cache';
import type { Messages, Model } from '@lintel/metadata';
import { byVersionAndLocale, VERSION_AND_LOCALE } from './by-version-and-locale.ts';
import { createMetadataTexts, type MetadataTexts } from './create-metadata-texts.ts';

/** The current metadata in a locale. */
export type MetadataSource = (locale: string) => Promise<MetadataTexts>;

const METADATA = declareCache({
  name: 'metadata-texts',
  holds: 'the bodies of `/rest/metadata` with their entity tags, each created at its first use',
  ...VERSION_AND_LOCALE,
});

/** Caches the texts of one version of the model and the messages, by locale. */
export function createMetadataSource(
  currentModel: () => Promise<Model>,
  currentMessages: () => Messages,
): { readonly metadata: MetadataSource; readonly cache: InvalidatedCache } {
  const cache = createMemo<string, MetadataTexts>(METADATA);
  return { metadata: byVersionAndLocale(cache, currentModel, currentMessages, createMetadataTexts), cache };
}
