import { createMemo } from '@lintel/cache';
import type { FeatureFactory } from '../feature.ts';
import { byVersionAndLocale } from '../metadata/by-version-and-locale.ts';
import { createMessageTexts, MESSAGE_TEXTS, type MessageTexts } from './create-message-texts.ts';
import { registerMessageRoutes } from './messages.routes.ts';

/** The captions of entities and enums. */
export const messagesFeature: FeatureFactory = ({ config, read }) => {
  const cache = createMemo<string, MessageTexts>(MESSAGE_TEXTS);
  const texts = byVersionAndLocale(cache, read.currentModel, read.currentMessages, createMessageTexts);
  return {
    register: ({ rest }) => registerMessageRoutes(rest, { path: config.paths.messagesPath, texts }),
    caches: [cache],
  };
};
