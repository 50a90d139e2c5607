import { createMemo } from '@lintel/cache';
import type { Principal } from '@lintel/contracts';
import { type TaggedText, tagged } from '@lintel/http';
import { DEFAULT_LOCALE } from '@lintel/metadata';
import { assertReadable, resolveEntity } from '@lintel/query';
import type { FeatureFactory } from '../feature.ts';
import { byVersionAndLocale } from '../metadata/by-version-and-locale.ts';
import {
  CAPTION_LISTS,
  createMessageTexts,
  MESSAGE_TEXTS,
  type MessageTexts,
  OTHER_TEXT_LISTS,
} from './create-message-texts.ts';
import { listCaptions, listOtherTexts } from './list-captions.ts';
import { registerMessageRoutes } from './messages.routes.ts';

/** The captions of entities and enums. */
export const messagesFeature: FeatureFactory = ({ ports, config, read }) => {
  const cache = createMemo<string, MessageTexts>(MESSAGE_TEXTS);
  const texts = byVersionAndLocale(cache, read.currentModel, read.currentMessages, createMessageTexts);
  const locales = config.availableLocales.map((locale) => locale.replaceAll('-', '_'));
  const captionCache = createMemo<string, TaggedText>(CAPTION_LISTS);
  const otherCache = createMemo<string, TaggedText>(OTHER_TEXT_LISTS);
  const listOf = (cacheOfList: typeof captionCache, list: typeof listCaptions) =>
    byVersionAndLocale(cacheOfList, read.currentModel, read.currentMessages, (model, messages, locale) =>
      tagged({
        locale: locale === '' ? DEFAULT_LOCALE : locale,
        locales,
        captions: list(model, { messages, files: ports.application.messages, firstLocale: locales[0] }, locale),
      }),
    );
  const captions = listOf(captionCache, listCaptions);
  const others = listOf(otherCache, listOtherTexts);
  const assertMayRead = (principal: Principal): void =>
    assertReadable(resolveEntity(read.currentModel(), 'sys_Message'), read.loadAccess(principal).read);
  return {
    register: ({ rest }) =>
      registerMessageRoutes(rest, {
        path: config.paths.messagesPath,
        texts,
        captions,
        others,
        assertMayRead,
        locales,
      }),
    caches: [cache, captionCache, otherCache],
  };
};
