import type { Attribute, Model } from '@lintel/metadata';
import { type ExactJson, isExactObject } from '@lintel/query';

/**
 * An instance as a response has it, without the instance names of the instance itself and of all that are nested in it.
 * Values of JSON attributes stay as they are.
 */
export function withoutInstanceNames(model: Model, json: ExactJson): ExactJson {
  if (Array.isArray(json)) return json.map((item: ExactJson) => withoutInstanceNames(model, item));
  if (!isExactObject(json)) return json;
  const { _instanceName: _, ...members } = json;
  const name = members['_entityName'];
  const attributes = typeof name === 'string' ? model.entities.get(name)?.attributes : undefined;
  return Object.fromEntries(
    Object.entries(members).map(([member, value]) => {
      const isNested = member.startsWith('+') || containsInstances(attributes?.get(member));
      return [member, isNested ? withoutInstanceNames(model, value) : value];
    }),
  );
}

const containsInstances = (attribute: Attribute | undefined): boolean =>
  attribute?.kind === 'reference' || attribute?.kind === 'embedded';
