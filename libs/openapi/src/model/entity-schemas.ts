import { identifierOf, type Schema } from '@lintel/contracts';
import {
  type Captions,
  dynamicAttributesOf,
  dynamicMemberOf,
  type Entity,
  isToMany,
  type Model,
  searchableOf,
  storedNameAttributes,
} from '@lintel/metadata';
import { attributeSchema, dynamicAttributeSchema, schemaNameOf } from './attribute-schema.ts';

/**
 * The schemas of all entities of the model. Nothing is required: what an instance shows is decided by its fetch
 * plan, and what must be sent by what is created.
 */
export const entitySchemas = (model: Model, captions: Captions): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    [...model.entities.values()].map((entity) => [
      schemaNameOf(entity.name),
      {
        title: captions.entity(entity.name),
        type: 'object',
        properties: propertiesOf(model, captions, entity),
        // Members of descendants, and of clients that send more than there is.
        additionalProperties: true,
      },
    ]),
  );

/**
 * The members by name. A system member is omitted if generators would spell it as an attribute (`_entityName` and
 * `entityName`): it is one of the additional properties, then.
 */
function propertiesOf(model: Model, captions: Captions, entity: Entity): Readonly<Record<string, Schema>> {
  const stamped = stampedAttributes(entity);
  const own = [...entity.attributes.values()].map((attribute) => {
    const schema = attributeSchema(model, captions, attribute);
    return [attribute.name, stamped.has(attribute.name) ? { ...schema, readOnly: true } : schema] as const;
  });
  const dynamic = dynamicAttributesOf(model, entity).map(
    (attribute) => [dynamicMemberOf(attribute), dynamicAttributeSchema(model, attribute)] as const,
  );
  const system = Object.entries({ ...systemMembers(model, entity), ...keyMember(model, captions, entity) });
  const all = [...own, ...dynamic];
  const attributes = new Set(all.map(([name]) => identifierOf(name)));
  return Object.fromEntries([...system.filter(([name]) => !attributes.has(identifierOf(name))), ...all]);
}

/** Attributes whose values the service alone sets (contract/writing.md#audit). */
const stampedAttributes = ({
  system: { lastModifiedDate, lastModifiedBy, deletedDate, deletedBy },
}: Entity): ReadonlySet<string | undefined> => new Set([lastModifiedDate, lastModifiedBy, deletedDate, deletedBy]);

/** Members about collections that a fetch plan shows in part; nothing without collections. */
function memberFacts({ attributes }: Entity): Readonly<Record<string, Schema>> {
  const names = [...attributes.values()].filter(isToMany).map(({ name }) => name);
  if (names.length === 0) return {};
  const description = 'Collections of which the plan shows a part; to be sent back with an update';
  return {
    _partial: { type: 'array', items: { type: 'string', enum: names }, description },
    _counts: { type: 'object', additionalProperties: { type: 'integer' }, readOnly: true },
  };
}

/** Parts of texts that a search finds (contract/search.md#highlights). */
const HIGHLIGHTS: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      attribute: { type: 'string' },
      fragments: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
    },
  },
  description: 'Parts of texts that `q` finds; every second text of a fragment is a word that is found',
  readOnly: true,
};

function systemMembers(model: Model, entity: Entity): Readonly<Record<string, Schema>> {
  const entityName = { _entityName: { type: 'string', ...namesOf(model, entity), default: entity.name } };
  if (entity.kind === 'embeddable') return entityName;
  const named = storedNameAttributes(entity);
  return {
    ...entityName,
    // The names of attributes as the default: so the reference has it (contract/api-documents.md#detailed).
    _instanceName: { type: 'string', ...(named.length === 0 ? {} : { default: named.join(',') }), readOnly: true },
    __securityToken: { type: 'string', description: 'To be sent back with an update, where it is there' },
    ...memberFacts(entity),
    ...(searchableOf(entity).length === 0 ? {} : { _highlights: HIGHLIGHTS }),
  };
}

/** The entity and those that extend it; any name where the caller may not know all of them. */
function namesOf(model: Model, entity: Entity): Schema {
  const family = familyOf(model, entity);
  const names = family.flatMap((each) => each?.name ?? []);
  if (names.length < family.length) return {};
  return { pattern: `^(?:${names.join('|').replaceAll('$', String.raw`\$`)})$` };
}

const familyOf = (model: Model, entity: Entity | undefined): readonly (Entity | undefined)[] => [
  entity,
  ...(entity?.descendants ?? []).flatMap((name) => familyOf(model, model.entities.get(name))),
];

/** A key by another name is also the `id` of its instances. */
function keyMember(model: Model, captions: Captions, { key, attributes }: Entity): Readonly<Record<string, Schema>> {
  const attribute = key === undefined ? undefined : attributes.get(key.attribute);
  if (attribute === undefined || attribute.name === 'id') return {};
  return { id: attributeSchema(model, captions, attribute) };
}
