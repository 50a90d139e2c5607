import type { Attribute } from '../entities/attribute.ts';

/**
 * Keys of captions in messages files (contract/messages.md#messages): `<package>/<Class>`,
 * `<package>/<Class>.<attribute>`, `<package>/<Enum>.<CONSTANT>`. The package is the part before the
 * first `_` of an entity's name, or before the last `.` of an enum's: `sales_Order` has `sales/Order`.
 */
interface QualifiedName {
  readonly group: string;
  readonly simple: string;
}

function splitEntity(name: string): QualifiedName {
  const at = name.indexOf('_');
  return at <= 0 ? { group: '', simple: name } : { group: name.slice(0, at), simple: name.slice(at + 1) };
}

function splitEnum(name: string): QualifiedName {
  const at = name.lastIndexOf('.');
  return at <= 0 ? { group: '', simple: name } : { group: name.slice(0, at), simple: name.slice(at + 1) };
}

/** A key, and the text that is used without a translation: the words of the name. */
export interface MessageKey {
  /** As in a messages file, with the package. */
  readonly key: string;
  /** Used if the key itself has no text. */
  readonly otherwise?: string;
  /** `Credit limit` for `creditLimit` and `CREDIT_LIMIT`. */
  readonly untranslated: string;
}

const keyOf = ({ group, simple }: QualifiedName, member: string): MessageKey => {
  const key = `${simple}${member}`;
  return {
    key: group === '' ? key : `${group}/${key}`,
    untranslated: wordsOf(member === '' ? simple : member.slice(1)),
  };
};

/** The words of a name in camel case, or in capitals with underscores; abbreviations keep their capitals. */
function wordsOf(name: string): string {
  const isConstant = !/\p{Ll}/u.test(name);
  const text = name
    .replace(/(\p{Ll}|\d)(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& ')
    .split(/[\s_]+/)
    .map((word) => (isConstant || !/^\p{Lu}{2,}\d*$/u.test(word) ? word.toLowerCase() : word))
    .join(' ')
    .trim();
  return text === '' ? name : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Attributes that every standard entity has: the platform has captions of them for all entities. */
const STANDARD_ATTRIBUTES: ReadonlySet<string> = new Set([
  'id',
  'version',
  'createdDate',
  'createdBy',
  'lastModifiedDate',
  'lastModifiedBy',
  'deletedDate',
  'deletedBy',
]);

/** The package of an entity's keys: `sales` for `sales_Order`. */
export const messageGroupOf = (entityName: string): string => splitEntity(entityName).group;

/** Key of an entity's caption. */
export const entityKey = (entityName: string): MessageKey => keyOf(splitEntity(entityName), '');

/** Key of an attribute's caption: it belongs to the entity that declares the attribute. */
export function attributeKey({ name, declaredBy }: Pick<Attribute, 'name' | 'declaredBy'>): MessageKey {
  const key = keyOf(splitEntity(declaredBy), `.${name}`);
  return STANDARD_ATTRIBUTES.has(name) ? { ...key, otherwise: `sys/StandardEntity.${name}` } : key;
}

/** Key of the caption of a group of attributes in forms. */
export const uiGroupKey = (entityName: string, group: string): MessageKey =>
  keyOf(splitEntity(entityName), `.ui.${group}`);

/** The text of a violated check or exclusion that declares no other: a reference to the message `<Entity>.<name>`. */
export const constraintMessage = (entityName: string, constraint: string): string =>
  `{msg:///${keyOf(splitEntity(entityName), `.${constraint}`).key}}`;

/** Key of an enum's caption. */
export const enumKey = (enumName: string): MessageKey => keyOf(splitEnum(enumName), '');

/** Key of the caption of an enum's constant. */
export const constantKey = (enumName: string, constant: string): MessageKey =>
  keyOf(splitEnum(enumName), `.${constant}`);
