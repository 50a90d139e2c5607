import { string, text } from '../builders/attributes.ts';
import { standardEntity } from '../builders/entity-builder.ts';

/** The value of `locale` for default texts, which are used if no text exists in a locale. */
export const DEFAULT_LOCALE = 'default';

/**
 * A text that administrators keep in the database: it replaces the one of the messages file of its locale.
 * `locale` is in underscore form, or `default` for the default texts.
 */
export const MessageEntity = standardEntity('sys_Message', {
  attributes: {
    key: string(500).mandatory().notBlank(),
    locale: string(20)
      .mandatory()
      .default(DEFAULT_LOCALE)
      .pattern(/default|[A-Za-z]{2,8}(?:_[A-Za-z0-9]{1,8})*/),
    text: text().mandatory().notBlank(),
  },
  instanceName: ['{key}', ' (', '{locale}', ')'],
  indexes: [{ attributes: ['key', 'locale'], unique: true }],
});

/** Entities that store texts; a change of an instance changes the responses of services. */
export const MESSAGE_ENTITIES = [MessageEntity] as const;
