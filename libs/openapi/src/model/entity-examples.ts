import type { DemoData } from '@lintel/application';
import type { EntitySubject } from '@lintel/contracts';
import { type Attribute, type Captions, type Entity, entityOf, familyOf, type Model } from '@lintel/metadata';
import { sampleId, sampleSecrets, sampleValues } from './sample-values.ts';

type Values = Readonly<Record<string, unknown>>;

/** Examples made of the first instance of an entity in the demo data; of made-up values where there is none. */
export function entityExamples(
  model: Model,
  captions: Captions,
  demoData: DemoData | undefined,
  entity: Entity,
): NonNullable<EntitySubject['examples']> {
  const values = demoData?.instances.find((instance) => instance.entity === entity.name)?.values;
  const shown = values === undefined ? sampleValues(model, captions, entity) : exampleValues(model, entity, values);
  const key = entity.key?.attribute ?? 'id';
  const { id = shown[key] ?? sampleId(model, captions, entity), ...creation } = shown;
  const chosen = entity.key?.generation === 'assigned' ? { [key]: id } : {};
  const search = searchOf(entity, creation);
  return {
    instance: { _entityName: entity.name, ...(id === undefined ? {} : { id }), ...creation },
    creation: { ...chosen, ...creation, ...sampleSecrets(model, captions, entity) },
    ...(id === undefined ? {} : { id }),
    ...(search === undefined ? {} : { search }),
  };
}

/** The values that are not secret, in the form of responses. */
const exampleValues = (model: Model, entity: Entity, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const attribute = entity.attributes.get(name);
      return attribute === undefined || attribute.secret ? [] : [[name, exampleValue(model, attribute, value)]];
    }),
  );

function exampleValue(model: Model, attribute: Attribute, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => exampleValue(model, attribute, item));
  switch (attribute.kind) {
    case 'embedded':
    case 'reference':
      return isObject(value) ? exampleValues(model, entityOf(model, attribute.target), value) : value;
    case 'datatype':
    case 'elements':
      return ['decimal', 'integer', 'floating'].includes(familyOf(attribute.datatype)) && typeof value === 'string'
        ? Number(value)
        : value;
    default:
      return value;
  }
}

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;

/** A search by the first text of the instance. */
function searchOf(entity: Entity, values: Values): unknown {
  const found = Object.entries(values).find(
    ([name, value]) => typeof value === 'string' && entity.attributes.get(name)?.kind === 'datatype',
  );
  if (found === undefined) return undefined;
  const [property, value] = found;
  return { filter: { conditions: [{ property, operator: '=', value }] }, limit: 10 };
}
