import { type Entity, entityOf, type Model } from '@lintel/metadata';
import { canonicalKey, type ExactJson, readExactJson } from '@lintel/query';
import type { BoundOperation } from './check-operation.ts';
import { isCollection, type Step, type Target } from './patch-target.ts';

/** What the operations of a patch need to know about an object: the fetch plan that it is read with. */
export interface PatchPlan {
  readonly entity: Entity;
  /** Attributes whose values are read. */
  readonly values: Map<string, Target['attribute']>;
  /** Embedded objects and single children. */
  readonly objects: Map<string, PatchPlan>;
  /** Collections whose members are addressed. */
  readonly members: Map<string, PatchPlan>;
}

const emptyPlan = (entity: Entity): PatchPlan => ({
  entity,
  values: new Map(),
  objects: new Map(),
  members: new Map(),
});

/** The plan of all operations together. */
export function planOfPatch(model: Model, root: Entity, operations: readonly BoundOperation[]): PatchPlan {
  const plan = emptyPlan(root);
  for (const { name, target, source } of operations) {
    addTarget(model, plan, target, name === 'test' || target.rest.kind === 'inside');
    if (source !== undefined) addTarget(model, plan, source, true);
  }
  return plan;
}

function addTarget(model: Model, root: PatchPlan, { steps, attribute, name, rest }: Target, isRead: boolean): void {
  const plan = steps.reduce(nextPlan, root);
  if (attribute.kind === 'fixed') return;
  if (attribute.kind === 'reference' && isCollection(attribute)) {
    if (rest.kind === 'member')
      nextPlan(plan, { kind: 'member', name, entity: entityOf(model, attribute.target), key: canonicalKey([]) });
    return;
  }
  // Whether a single child exists decides what its value means.
  const isChild = attribute.kind === 'reference' && attribute.composition;
  if (isChild) nextPlan(plan, { kind: 'object', name, entity: entityOf(model, attribute.target) });
  else if (isRead) plan.values.set(name, attribute);
}

function nextPlan(plan: PatchPlan, step: Step): PatchPlan {
  const all = step.kind === 'member' ? plan.members : plan.objects;
  const found = all.get(step.name) ?? emptyPlan(step.entity);
  all.set(step.name, found);
  return found;
}

/** Whether nothing has to be read. */
export const isEmptyPlan = (plan: PatchPlan): boolean =>
  plan.values.size === 0 && plan.members.size === 0 && [...plan.objects.values()].every(isEmptyObject);

/** An embedded object exists always, so that it is read for its values only. */
const isEmptyObject = (plan: PatchPlan): boolean => plan.entity.kind !== 'entity' && isEmptyPlan(plan);

/** The inline fetch plan. */
export const fetchPlanOf = (plan: PatchPlan): ExactJson =>
  readExactJson(JSON.stringify({ entity: plan.entity.name, properties: propertiesOf(plan) }));

function propertiesOf(plan: PatchPlan): readonly unknown[] {
  const values = [...plan.values].flatMap(([name, attribute]): unknown[] => {
    if (attribute.kind === 'dynamic') return [];
    if (attribute.kind === 'reference') return [{ name, fetchPlan: { properties: [] } }];
    return attribute.kind === 'embedded' ? [{ name, fetchPlan: '_base' }] : [name];
  });
  const nested = [...plan.objects, ...plan.members]
    .filter(([name, inner]) => !plan.values.has(name) && !isEmptyObject(inner))
    .map(([name, inner]) => ({ name, fetchPlan: { properties: propertiesOf(inner) } }));
  return [...values, ...nested];
}
