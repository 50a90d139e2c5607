import { suggestion } from '@lintel/errors';
import type { Attribute, Entity, Model } from '@lintel/metadata';

/** Why a path of attributes, `owner.address.city`, leads nowhere; undefined if it leads to an attribute. */
export function pathProblem(model: Model, entity: Entity, path: string): string | undefined {
  let owner: Entity | undefined = entity;
  for (const name of path.split('.')) {
    if (owner === undefined) return `${path} leads nowhere: no reference or embedded object is before ${name}`;
    // `id` is another name of every key.
    if (name === 'id' && owner.key !== undefined) return undefined;
    const attribute: Attribute | undefined = owner.attributes.get(name);
    if (attribute === undefined) return `${unknownAttribute(owner, name)}${path === name ? '' : ` (${path})`}`;
    owner =
      attribute.kind === 'reference' || attribute.kind === 'embedded'
        ? model.entities.get(attribute.target)
        : undefined;
  }
  return undefined;
}

/** `garage_Car has no attribute vni; did you mean vin?` */
export const unknownAttribute = ({ name, attributes }: Entity, attribute: string): string =>
  `${name} has no attribute ${attribute}${suggestion(attribute, attributes.keys())}`;
