import {
  type Attribute,
  dynamicAttributesOf,
  dynamicMemberOf,
  type Entity,
  entityOf,
  isToMany,
  type Model,
} from '@lintel/metadata';
import { type ExactJson, isExactObject } from '@lintel/query';

export type State = Readonly<Record<string, ExactJson>>;

/** How an instance differs between two states that the caller may see. */
export interface InstanceChange {
  readonly operation: 'created' | 'updated' | 'deleted';
  readonly attributes: readonly AttributeChange[];
  /** Children of compositions that differ. */
  readonly children?: readonly ChildChange[];
}

export interface AttributeChange {
  readonly attribute: string;
  /** Absent for no value. */
  readonly old?: ExactJson;
  readonly new?: ExactJson;
  /** Values that differ are left out: they are personal (contract/personal-data.md#masks). */
  readonly masked?: true;
}

export interface ChildChange extends InstanceChange {
  /** The composition. */
  readonly attribute: string;
  readonly entity: string;
  readonly id: ExactJson;
}

/** The differences between two states; undefined if there are none. Version and audit attributes are left out. */
export function compareStates(
  model: Model,
  entity: Entity,
  before: State | undefined,
  after: State | undefined,
): InstanceChange | undefined {
  if (before === undefined && after === undefined) return undefined;
  const concrete = concreteOf(model, entity, after ?? before);
  const attributes: AttributeChange[] = [];
  const children: ChildChange[] = [];
  const compare = (name: string, kind: Attribute['kind']): void => {
    const [former, present] = [before?.[name], after?.[name]];
    if (comparable(kind, former) === comparable(kind, present)) return;
    attributes.push({
      attribute: name,
      ...(isEmpty(former) ? {} : { old: former as ExactJson }),
      ...(isEmpty(present) ? {} : { new: present as ExactJson }),
    });
  };
  for (const attribute of concrete.attributes.values()) {
    const { name, kind } = attribute;
    if (isSystem(concrete, attribute)) continue;
    if (kind === 'reference' && attribute.composition)
      children.push(...compareChildren(model, attribute, before?.[name], after?.[name]));
    else compare(name, kind);
  }
  for (const attribute of dynamicAttributesOf(model, concrete))
    compare(dynamicMemberOf(attribute), attribute.type === 'ENTITY' ? 'reference' : 'datatype');
  const operation = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated';
  if (operation === 'updated' && attributes.length === 0 && children.length === 0) return undefined;
  return { operation, attributes, ...(children.length === 0 ? {} : { children }) };
}

const concreteOf = (model: Model, entity: Entity, state: State | undefined): Entity => {
  const name = state?.['_entityName'];
  return typeof name === 'string' ? entityOf(model, name) : entity;
};

const isEmpty = (value: ExactJson | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const textOf = (value: ExactJson | undefined): string => (isEmpty(value) ? '' : JSON.stringify(value));

/** References to one instance are equal, whatever its name. */
function comparable(kind: Attribute['kind'], value: ExactJson | undefined): string {
  if (kind !== 'reference') return textOf(value);
  const idOf = (one: ExactJson): ExactJson => (isExactObject(one) ? (one['id'] ?? null) : one);
  if (!Array.isArray(value)) return textOf(value && idOf(value));
  return textOf((value as readonly ExactJson[]).map(idOf).sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1)));
}

const isSystem = ({ system, key }: Entity, { name }: Attribute): boolean =>
  name === (key?.attribute ?? 'id') || (name !== system.deletedDate && Object.values(system).includes(name));

function compareChildren(
  model: Model,
  attribute: Attribute & { readonly kind: 'reference' },
  before: ExactJson | undefined,
  after: ExactJson | undefined,
): readonly ChildChange[] {
  const target = entityOf(model, attribute.target);
  const [former, present] = [before, after].map((value) => byId(isToMany(attribute) ? value : [value ?? null]));
  const ids = new Set([...(former?.keys() ?? []), ...(present?.keys() ?? [])]);
  return [...ids].flatMap((id) => {
    const [old, now] = [former?.get(id), present?.get(id)];
    const change = compareStates(model, target, old, now);
    const state = now ?? old ?? {};
    const entity = concreteOf(model, target, state);
    return change === undefined
      ? []
      : [{ attribute: attribute.name, entity: entity.name, id: state['id'] ?? null, ...change }];
  });
}

function byId(value: ExactJson | undefined): ReadonlyMap<string, State> {
  const list = Array.isArray(value) ? (value as readonly ExactJson[]) : [];
  return new Map(list.filter(isExactObject).map((state) => [JSON.stringify(state['id']), state]));
}
