import { createMemo } from '@lintel/cache';
import { type TaggedText, tagged } from '@lintel/http';
import { DEFAULT_LOCALE } from '@lintel/metadata';
import type { FeatureFactory } from '../feature.ts';
import { byVersionAndLocale } from '../metadata/by-version-and-locale.ts';
import { CAPTION_LISTS, createMessageTexts, MESSAGE_TEXTS, type MessageTexts } from './create-message-texts.ts';
import { listCaptions } from './list-captions.ts';
import { registerMessageRoutes } from './messages.routes.ts';

/** The captions of entities and enums. */
export const messagesFeature: FeatureFactory = ({ ports, config, read }) => {
  const cache = createMemo<string, MessageTexts>(MESSAGE_TEXTS);
  const texts = byVersionAndLocale(cache, read.currentModel, read.currentMessages, createMessageTexts);
  const locales = config.availableLocales.map((locale) => locale.replaceAll('-', '_'));
  const captionCache = createMemo<string, TaggedText>(CAPTION_LISTS);
  const captions = byVersionAndLocale(
    captionCache,
    read.currentModel,
    read.currentMessages,
    (model, messages, locale) =>
      tagged({
        locale: locale === '' ? DEFAULT_LOCALE : locale,
        locales,
        captions: listCaptions(model, messages, ports.application.messages, locale),
      }),
  );
  return {
    register: ({ rest }) => registerMessageRoutes(rest, { path: config.paths.messagesPath, texts, captions, locales }),
    caches: [cache, captionCache],
  };
};
