import type { EntityChange, EntityListener } from '@lintel/application';
import type { Entity } from '@lintel/metadata';
import { idOf, readExactJson } from '@lintel/query';
import type { InstanceNode } from '../graph/instance-node.ts';
import { mergeValues } from '../graph/merge-values.ts';
import { settleShared } from '../graph/settle-shared.ts';
import type { WriteModel } from '../model/write-model.ts';
import { parseInstance } from '../parse/parse-instance.ts';
import type { StoredRow } from '../rows/rows.ts';
import { withItemsBelow } from '../scope/item-paths.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { toJsonForm } from '../values/json-form.ts';
import { isSameValue } from '../values/same-value.ts';
import type { MutableValues } from '../values/slot-values.ts';
import type { Values } from '../values/value.ts';
import type { CompositionForm } from './composition-form.ts';
import { LazyChange } from './lazy-change.ts';
import { LazyListenerContext } from './lazy-listener-context.ts';

/** No application code ever sees a password's hash. */
const NEVER_SHOWN: Readonly<Record<string, string>> = { sec_User: 'password' };

/** The listeners of an entity and its ancestors. */
export const listenersOf = (
  { model, listeners }: Pick<WriteScope, 'model' | 'listeners'>,
  entity: Entity,
): readonly EntityListener[] => listeners.of(model, entity);

/** Whether a listener is called after a save of an instance of the entity. */
export const hasAfterSave = (scope: Pick<WriteScope, 'model' | 'listeners'>, entity: Entity): boolean =>
  listenersOf(scope, entity).some((listener) => listener.afterSave !== undefined);

function shown(
  writeModel: WriteModel,
  entity: Entity,
  values: Values | undefined,
): Record<string, unknown> | undefined {
  if (values === undefined) return undefined;
  return withoutHidden(entity, toJsonForm(writeModel.model, writeModel.of(entity), values));
}

function withoutHidden(entity: Entity, form: Record<string, unknown>): Record<string, unknown> {
  const hidden = NEVER_SHOWN[entity.name];
  if (hidden !== undefined) delete form[hidden];
  return form;
}

/** The change of an instance as passed to a listener. */
export const changeOf = (
  writeModel: WriteModel,
  entity: Entity,
  key: InstanceNode['key'],
  change: EntityChange['change'],
  before: Values | undefined,
  after: Values | undefined,
  withChildren: boolean,
): EntityChange =>
  new LazyChange({
    entity: entity.name,
    id: idOf(writeModel.model, entity, key),
    change,
    withChildren,
    before: () => shown(writeModel, entity, before),
    after: () => shown(writeModel, entity, after),
  });

/** An instance that is saved, and the changes of its children as passed to its listeners. */
export interface ListenedNode {
  readonly node: InstanceNode;
  /** The form of new instances of the same save. */
  readonly formOf: CompositionForm;
  /** Only its children have changed. */
  readonly isTouched?: boolean;
}

function changeOfNode(
  { model, writeModel }: WriteScope,
  { node, formOf, isTouched = false }: ListenedNode,
): EntityChange {
  const { entity, key, before, after, children } = node;
  if (node.kind === 'create')
    return new LazyChange({
      entity: entity.name,
      id: idOf(model, entity, key),
      change: 'created',
      withChildren: children.size > 0,
      before: () => undefined,
      after: () => withoutHidden(entity, formOf(node)),
    });
  return changeOf(writeModel, entity, key, 'updated', before, after, isTouched || children.size > 0);
}

/**
 * Calls `beforeSave` and sets the values that it returns.
 *
 * @throws PlatformError of a listener that refuses, its items with their paths from the sent root
 */
export async function beforeSave(
  scope: WriteScope,
  node: InstanceNode,
  formOf: CompositionForm,
): Promise<InstanceNode> {
  let result = node;
  for (const listener of listenersOf(scope, node.entity)) {
    if (listener.beforeSave === undefined) continue;
    const change = changeOfNode(scope, { node: result, formOf });
    const values = await withItemsBelow(node.path, async () =>
      listener.beforeSave?.(change, new LazyListenerContext(scope)),
    );
    if (values !== undefined) result = withValues(scope, result, values);
  }
  return result;
}

/** Values of application code are parsed and merged as those of a client, without the limits of its rights. */
function withValues(scope: WriteScope, node: InstanceNode, given: Readonly<Record<string, unknown>>): InstanceNode {
  const json = readExactJson(JSON.stringify(given));
  const { model } = scope;
  const input = parseInstance(
    { model, mode: 'other', readsVersion: false, byApplication: true },
    node.entity,
    json,
    '',
  );
  const after = mergeValues(node.layout, node.after, input.values, node.kind === 'create', (path) => {
    throw new Error(`A listener set ${node.entity.name}.${path} to a reference without an id`);
  });
  settle(node, after, input.values);
  return { ...node, after };
}

/** Listeners may return the whole instance: what they did not change does not decide about shared columns. */
function settle(node: InstanceNode, after: MutableValues, given: ReadonlyMap<string, unknown>): void {
  const changed = [...given.keys()].filter(
    (path) => !isSameValue(node.after.get(path) ?? null, after.get(path), false),
  );
  const [wrong] = settleShared(node.layout, after, new Set(changed));
  if (wrong !== undefined)
    throw new Error(`A listener set ${node.entity.name}.${wrong.path} to another value than ${wrong.other} has`);
}

/** Calls `afterSave`, once the rows are written. */
export async function afterSave(scope: WriteScope, listened: ListenedNode): Promise<void> {
  const { entity, path } = listened.node;
  for (const listener of listenersOf(scope, entity))
    if (listener.afterSave !== undefined)
      await withItemsBelow(path, async () =>
        listener.afterSave?.(changeOfNode(scope, listened), new LazyListenerContext(scope)),
      );
}

/** Calls `beforeDelete`. */
export async function beforeDelete(scope: WriteScope, row: StoredRow): Promise<void> {
  for (const listener of listenersOf(scope, row.entity))
    await listener.beforeDelete?.(
      changeOf(scope.writeModel, row.entity, row.key, 'deleted', row.values, undefined, true),
      new LazyListenerContext(scope),
    );
}

/** Calls `afterSave` with the change `deleted`. */
export async function afterDelete(scope: WriteScope, row: StoredRow): Promise<void> {
  for (const listener of listenersOf(scope, row.entity))
    await listener.afterSave?.(
      changeOf(scope.writeModel, row.entity, row.key, 'deleted', row.values, undefined, true),
      new LazyListenerContext(scope),
    );
}
