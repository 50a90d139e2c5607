import {
  type Attribute,
  type AttributeBuilders,
  columnsOf,
  type Datatype,
  type EntityDefinition,
  entityOf,
  enumerationOf,
  keyColumnsOf,
  type Model,
} from '@lintel/metadata';

const USER = 'sec_User';

/** Their values have one form in texts of PostgreSQL, in JSON and in conditions. */
const DATATYPES: ReadonlySet<Datatype> = new Set(['string', 'char', 'boolean', 'short', 'int', 'uuid', 'localDate']);

/** The entities of the platform, `sec_User` with the application's attributes. */
export function withUserAttributes(
  entities: readonly EntityDefinition[],
  attributes: AttributeBuilders = {},
): readonly EntityDefinition[] {
  return entities.map((entity) =>
    entity.name === USER ? { ...entity, attributes: { ...entity.attributes, ...attributes } } : entity,
  );
}

/** What contradicts the rules for attributes of users, before the model is built: one sentence each. */
export function userAttributeNameProblems(
  entities: readonly EntityDefinition[],
  attributes: AttributeBuilders = {},
): readonly string[] {
  const own = entities.find(({ name }) => name === USER)?.attributes ?? {};
  const system = ['id', 'version', 'createdDate', 'createdBy', 'lastModifiedDate', 'lastModifiedBy'];
  return Object.keys(attributes)
    .filter((name) => Object.hasOwn(own, name) || system.includes(name))
    .map((name) => `userAttributes: ${USER} already has the attribute ${name}: choose another name`);
}

/** What contradicts the rules for attributes of users: one sentence each. */
export function userAttributeProblems(model: Model, attributes: AttributeBuilders = {}): readonly string[] {
  return Object.keys(attributes).flatMap((name) => {
    const reason = refusalOf(model, attributeOf(model, name));
    return reason === undefined ? [] : [`userAttributes: ${name} ${reason}`];
  });
}

function attributeOf(model: Model, name: string): Attribute {
  const attribute = entityOf(model, USER).attributes.get(name);
  if (attribute === undefined) throw new Error(`${USER} has no attribute ${name}`);
  return attribute;
}

function refusalOf(model: Model, attribute: Attribute): string | undefined {
  if (attribute.mandatory) return 'is mandatory, but users that exist have no value: remove mandatory()';
  const isStored = columnsOf(model, attribute).length > 0;
  switch (attribute.kind) {
    case 'datatype':
      if (attribute.secret) return 'is secret, but the values are part of sessions: remove secret()';
      if (!isStored) return 'is not stored: remove transient() or computed()';
      if (DATATYPES.has(attribute.datatype)) return undefined;
      return `has the datatype ${attribute.datatype}: expected ${[...DATATYPES].join(', ')}`;
    case 'enum':
      return isStored ? undefined : 'is not stored: remove transient() or computed()';
    case 'reference':
      if (isStored && columnsOf(model, attribute).length === 1) return undefined;
      return 'must be a toOne reference to an entity whose key is one attribute';
    case 'embedded':
    case 'elements':
      return 'must be a value, an enum or a toOne reference';
    default:
      return attribute satisfies never;
  }
}

/** The values of one user by attribute; a reference is `{ id }`. */
export type UserAttributeReader = (
  columns: Readonly<Record<string, string | null>>,
) => Readonly<Record<string, unknown>>;

/**
 * Creates the function that converts the columns of a user, as texts of PostgreSQL, to the attributes that the
 * application declares. Columns that the model does not have are ignored: the application may be older than the
 * database. The function remembers its results by the object of the columns.
 */
export function createUserAttributeReader({
  model,
  userAttributes = {},
}: {
  readonly model: Model;
  readonly userAttributes?: AttributeBuilders | undefined;
}): UserAttributeReader {
  const readers = Object.keys(userAttributes).flatMap((name) => {
    const attribute = attributeOf(model, name);
    const [column] = columnsOf(model, attribute);
    return column === undefined ? [] : [{ name, column: column.name, read: valueReader(model, attribute) }];
  });
  const known = new WeakMap<object, Readonly<Record<string, unknown>>>();
  return (columns) => {
    const found = known.get(columns);
    if (found !== undefined) return found;
    const values = Object.fromEntries(
      readers.map(({ name, column, read }) => {
        const text = Object.hasOwn(columns, column) ? columns[column] : null;
        return [name, text === null || text === undefined ? null : read(text)];
      }),
    );
    known.set(columns, values);
    return values;
  };
}

function valueReader(model: Model, attribute: Attribute): (text: string) => unknown {
  if (attribute.kind === 'enum') {
    const { values } = enumerationOf(model, attribute.enumName);
    return (text) => values.find(({ id }) => String(id) === text)?.name ?? null;
  }
  if (attribute.kind === 'reference') {
    const key = keyColumnsOf(model, entityOf(model, attribute.target))[0];
    const isInteger = key?.type === 'integer' || key?.type === 'smallint';
    return (text) => ({ id: isInteger ? Number(text) : text });
  }
  if (attribute.kind !== 'datatype') throw new Error(`${attribute.name} cannot be an attribute of users`);
  if (attribute.datatype === 'boolean') return (text) => text === 'true';
  return attribute.datatype === 'int' || attribute.datatype === 'short' ? Number : (text) => text;
}
