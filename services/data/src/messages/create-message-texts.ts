import { declareCache } from '@lintel/cache';
import { PlatformError } from '@lintel/errors';
import type { TaggedText } from '@lintel/http';
import { captionsIn, type Messages, type Model } from '@lintel/metadata';
import { VERSION_AND_LOCALE } from '../metadata/by-version-and-locale.ts';
import { createTaggedTexts } from '../tagged-texts.ts';
import { entityMessages, enumMessages } from './list-messages.ts';

/** Caches the response texts; the messages for them are in the cache `messages`. */
export const MESSAGE_TEXTS = declareCache({
  name: 'message-texts',
  holds: 'the bodies of `/rest/messages` with their entity tags, each created at its first use',
  ...VERSION_AND_LOCALE,
});

/** Caches the lists of captions with their sources. */
export const CAPTION_LISTS = declareCache({
  name: 'caption-lists',
  holds: 'the bodies of `/rest/messages/captions` with their entity tags',
  ...VERSION_AND_LOCALE,
});

/** Caches the lists of other texts with their sources. */
export const OTHER_TEXT_LISTS = declareCache({
  name: 'other-text-lists',
  holds: 'the bodies of `/rest/messages/captions?kind=others` with their entity tags',
  ...VERSION_AND_LOCALE,
});

/** The captions of one model in one locale; each text is created at its first use. */
export interface MessageTexts {
  entities(): TaggedText;
  /** @throws PlatformError MODEL_ENTITY_NOT_FOUND */
  entity(name: string): TaggedText;
  enums(): TaggedText;
  /** @throws PlatformError MODEL_ENUM_NOT_FOUND */
  enumeration(name: string): TaggedText;
}

/** @param messages texts of the captions */
export function createMessageTexts(model: Model, messages: Messages, locale: string): MessageTexts {
  const captions = captionsIn(messages, locale);
  const once = createTaggedTexts();
  return {
    entities: () => once('entities', () => entityMessages(model.entities.values(), captions)),
    entity: (name) => {
      const entity = model.entities.get(name);
      if (entity === undefined) throw new PlatformError('MODEL_ENTITY_NOT_FOUND', `Entity ${name} not found`);
      return once(`entity ${entity.name}`, () => entityMessages([entity], captions));
    },
    enums: () => once('enums', () => enumMessages(model.enums.values(), captions)),
    enumeration: (name) => {
      const enumeration = model.enums.get(name);
      if (enumeration === undefined)
        throw new PlatformError('MODEL_ENUM_NOT_FOUND', `Enum with class name ${name} not found`);
      return once(`enum ${name}`, () => enumMessages([enumeration], captions));
    },
  };
}
