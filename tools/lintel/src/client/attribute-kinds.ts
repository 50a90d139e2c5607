import { type Attribute, type Datatype, type Entity, familyOf, type Model } from '@lintel/metadata';
import { isExact, memberName } from './type-texts.ts';

/** The type of the kinds of an entity's attributes: what a filter can compare them with (contract/filters.md#types). */
export function kindsType(entity: Entity): string {
  const members = [...entity.attributes.values()]
    .filter(({ persistent, secret }) => persistent && !secret)
    .map((attribute) => `readonly ${memberName(attribute.name)}: ${kindOf(attribute)}`);
  return `{ ${members.join('; ')} }`;
}

function kindOf(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'enum':
      return `'plain'`;
    case 'datatype':
    case 'elements':
      return `'${datatypeKind(attribute.datatype)}'`;
    case 'embedded':
    case 'reference':
      return `{ readonly to: '${attribute.target}' }`;
    default:
      return attribute satisfies never;
  }
}

function datatypeKind(datatype: Datatype): 'text' | 'ordered' | 'plain' | 'json' {
  switch (familyOf(datatype)) {
    case 'text':
    case 'uuid':
      return 'text';
    case 'integer':
    case 'floating':
    case 'decimal':
    case 'temporal':
      return 'ordered';
    case 'json':
      return 'json';
    default:
      return 'plain';
  }
}

/** Of the attributes of an entity, those whose numbers are texts in responses, at every level of embedded objects. */
type ExactAttributes = { readonly [name: string]: true | ExactAttributes };

/** The source of a table: of each entity with exact numbers, their attributes. */
export function exactNumbers(model: Model): string {
  const entries = [...model.entities.values()]
    .filter(({ kind }) => kind !== 'embeddable')
    .map((entity): [string, ExactAttributes] => [entity.name, exactAttributes(model, entity)])
    .filter(([, attributes]) => Object.keys(attributes).length > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(entries));
}

function exactAttributes(model: Model, entity: Entity): ExactAttributes {
  const found = Object.fromEntries(
    [...entity.attributes.values()].flatMap((attribute): [string, true | ExactAttributes][] => {
      const exact = exactOf(model, attribute);
      return exact === undefined ? [] : [[attribute.name, exact]];
    }),
  );
  // The key is also the id.
  const key = entity.key === undefined ? undefined : found[entity.key.attribute];
  return key === undefined ? found : { ...found, id: key };
}

function exactOf(model: Model, attribute: Attribute): true | ExactAttributes | undefined {
  if (attribute.kind === 'datatype' || attribute.kind === 'elements') return isExact(attribute.datatype) || undefined;
  const target = attribute.kind === 'embedded' ? model.entities.get(attribute.target) : undefined;
  const nested = target === undefined ? {} : exactAttributes(model, target);
  return Object.keys(nested).length === 0 ? undefined : nested;
}
