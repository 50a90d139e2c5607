import type { Attribute } from '../entities/attribute.ts';
import { attributeKey, constantKey, entityKey, enumKey, type MessageKey, uiGroupKey } from './message-keys.ts';
import type { Messages } from './messages.ts';

/** Readable names of the things of a model, in one locale. Never undefined: see `MessageKey.untranslated`. */
export interface Captions {
  /** Underscore form: `zh_CN`. */
  readonly locale: string;
  /** Caption of an entity. */
  entity(entityName: string): string;
  /** Caption of an attribute, inherited ones included. */
  attribute(attribute: Pick<Attribute, 'name' | 'declaredBy'>): string;
  /** Caption of an enum. */
  enumeration(enumName: string): string;
  /** Caption of a constant of an enum. */
  constant(enumName: string, constant: string): string;
  /** Caption of a group of attributes: that of the first entity with one, else the name of the group. */
  uiGroup(lineage: readonly string[], group: string): string;
}

/** The captions of a locale (contract/messages.md#messages). */
export function captionsIn(messages: Messages, locale: string): Captions {
  const find = (key: string): string | undefined => messages.find(key, locale);
  const captionOf = ({ key, otherwise, untranslated }: MessageKey): string =>
    find(key) ?? (otherwise === undefined ? undefined : find(otherwise)) ?? untranslated;
  return Object.freeze({
    locale,
    entity: (name: string) => captionOf(entityKey(name)),
    attribute: (attribute: Pick<Attribute, 'name' | 'declaredBy'>) => captionOf(attributeKey(attribute)),
    enumeration: (name: string) => captionOf(enumKey(name)),
    constant: (name: string, constant: string) => captionOf(constantKey(name, constant)),
    uiGroup: (lineage: readonly string[], group: string) =>
      lineage.map((name) => find(uiGroupKey(name, group).key)).find((text) => text !== undefined) ?? group,
  });
}
