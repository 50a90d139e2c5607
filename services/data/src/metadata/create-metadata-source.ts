import type { Messages, Model } from '@lintel/metadata';
import { byVersionAndLocale } from './by-version-and-locale.ts';
import { createMetadataTexts, type MetadataTexts } from './create-metadata-texts.ts';

/** The metadata of this moment in a locale. */
export type MetadataSource = (locale: string) => Promise<MetadataTexts>;

/** Keeps the texts of one version of the model and the messages, by locale. */
export const createMetadataSource = (
  currentModel: () => Promise<Model>,
  currentMessages: () => Messages,
): MetadataSource => byVersionAndLocale(currentModel, currentMessages, createMetadataTexts);
