import type { DemoData, EntityListener } from '@lintel/application';
import { isPlatformError, isStartError, PlatformError, StartError } from '@lintel/errors';
import { entityOf, type Model, quoteTable, tableOf, withDynamicAttributes } from '@lintel/metadata';
import type { Database, Transaction } from '@lintel/persistence';
import { readExactJson } from '@lintel/query';
import { DEFINITION_ENTITIES } from '../dynamic-attributes/definitions/definition-listeners.ts';
import { loadDynamicAttributes } from '../dynamic-attributes/definitions/load-dynamic-attributes.ts';
import { recordChange } from '../write/changes/record-change.ts';
import type { InstanceNode } from '../write/graph/instance-node.ts';
import { afterSave, beforeSave, listenersOf } from '../write/listeners/call-listeners.ts';
import { compositionForm } from '../write/listeners/composition-form.ts';
import { ListenerIndex } from '../write/listeners/listener-index.ts';
import { buildGraph } from '../write/merge/build-graph.ts';
import { parseInstance } from '../write/parse/parse-instance.ts';
import { planSave } from '../write/plan/plan-save.ts';
import { stampNode } from '../write/plan/stamp.ts';
import { openScope } from '../write/run/open-scope.ts';
import type { ConstraintTranslator } from '../write/run/translate-violation.ts';
import { hashPasswords } from '../write/save/hash-passwords.ts';
import { settleDynamicValues } from '../write/save/settle-dynamic-values.ts';
import { writeDynamicValues } from '../write/save/write-dynamic-values.ts';
import { errorAccessOf } from '../write/scope/error-access.ts';
import { createLocalize } from '../write/scope/localize.ts';
import { UNLIMITED, type WriteEnvironment, type WriteScope } from '../write/scope/write-scope.ts';
import { assertReferences } from '../write/validate/assert-references.ts';
import { validateGraph } from '../write/validate/validate-graph.ts';
import { keyText } from '../write/values/value.ts';

/** Number of the advisory lock: the letters of "demo". */
const LOCK_KEY = 0x64_65_6d_6f;

/** In the audit attributes of the demo data. */
const LOADER = { username: 'system', locale: null };

/**
 * Fills an empty database with the demo data of the application, in one transaction. It uses the stages of the write
 * pipeline with many rows per statement and without events, since nothing is cached yet. A database that has users is
 * not changed.
 *
 * @param listeners those that are called, if the demo data says so
 * @returns number of instances loaded; 0 if the database was not empty
 * @throws StartError naming the invalid instance, or the listener that threw; no instance is loaded then
 */
export async function loadDemoData(
  demoData: DemoData,
  deps: {
    readonly database: Database;
    readonly environment: WriteEnvironment;
    readonly listeners: readonly EntityListener[];
    readonly translateViolation: ConstraintTranslator;
  },
): Promise<number> {
  try {
    return await deps.database.transaction(async (transaction) => {
      await transaction.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [LOCK_KEY] });
      if (await hasUsers(transaction)) return 0;
      const listeners = new ListenerIndex(demoData.runListeners === true ? deps.listeners : []);
      const loaded = await insertAll(demoData, { ...deps.environment, listeners }, transaction);
      await analyze(deps.environment.model, transaction);
      return loaded;
    });
  } catch (error) {
    throw toStartError(
      await deps.translateViolation(
        error,
        createLocalize(deps.environment, LOADER),
        errorAccessOf(deps.environment, LOADER),
      ),
    );
  }
}

/** The errors that the application can remedy; others, such as those of a connection, stay as they are. */
function toStartError(error: unknown): unknown {
  if (isStartError(error) || !isPlatformError(error) || error.status >= 500) return error;
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return new StartError(`The demo data cannot be loaded: ${reasonOf(error)}${cause}`, { cause: error });
}

/** Calls listeners for an instance. What they throw ends the start, with the position in the code of the application. */
async function calling<T>({ entity, path }: InstanceNode, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new StartError(
      `The demo data cannot be loaded: a listener of ${entity.name} failed for ${path}: ${reasonOf(cause)}${positionOf(cause)}`,
      { cause },
    );
  }
}

function reasonOf(error: unknown): string {
  const items = isPlatformError(error) ? (error.items ?? []) : [];
  if (items.length > 0) return items.map(({ path, message }) => `${path}: ${message}`.replace(/^: /, '')).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** ` (file:///…/listeners.ts:12:9)`: the line of the stack that threw. */
function positionOf(error: unknown): string {
  const line = error instanceof Error ? /^ +at (?:.*\()?([^()]+:\d+:\d+)\)?$/m.exec(error.stack ?? '')?.[1] : undefined;
  return line === undefined ? '' : ` (${line})`;
}

async function hasUsers(transaction: Transaction): Promise<boolean> {
  const rows = await transaction.query({
    text: `SELECT 1 FROM ${quoteTable(tableOf({ name: 'sec_User' }))} LIMIT 1`,
    values: [],
  });
  return rows.length > 0;
}

/**
 * Without statistics the planner assumes that every table is tiny, and prepared statements keep such plans when the
 * tables grow: searches over a reference took seconds.
 */
async function analyze(model: Model, transaction: Transaction): Promise<void> {
  const tables = [...model.entities.values()]
    .filter(({ kind, readOnly }) => kind === 'entity' && readOnly !== true)
    .map(tableOf)
    .map(quoteTable);
  if (tables.length > 0) await transaction.query({ text: `ANALYZE ${tables.join(', ')}`, values: [] });
}

/** Definitions of dynamic attributes are inserted first: other instances may have values of them. */
async function insertAll(
  { instances }: DemoData,
  environment: WriteEnvironment,
  transaction: Transaction,
): Promise<number> {
  const [definitions, others] = [
    instances.filter(({ entity }) => DEFINITION_ENTITIES.has(entity)),
    instances.filter(({ entity }) => !DEFINITION_ENTITIES.has(entity)),
  ];
  const defined = await insert(definitions, environment, transaction);
  const model = withDynamicAttributes(environment.model, await loadDynamicAttributes(transaction));
  return defined + (await insert(others, { ...environment, model }, transaction));
}

async function insert(
  instances: DemoData['instances'],
  environment: WriteEnvironment,
  transaction: Transaction,
): Promise<number> {
  // The passwords are the application's own.
  const scope = openScope({ ...environment, passwordPolicy: undefined }, transaction, LOADER);
  const items = instances.map((instance, index) => ({
    input: inputOf(environment.model, instance, `demo[${index}]`),
    stored: undefined,
  }));
  const built = await buildGraph(scope, UNLIMITED, 'create', items);
  const nodes = await settleDynamicValues(scope, UNLIMITED, 'create', firstOccurrences(built.nodes));
  const graph = { ...built, nodes: await callBeforeSave(scope, nodes) };
  await assertReferences(scope, 'create', graph.nodes);
  await validateGraph(scope, graph);
  const hashed = await hashPasswords(scope, graph.nodes);
  const stamped = hashed.map((node) => stampNode(node, scope, false));
  await Promise.all([...planSave(scope.model, stamped)].map((statement) => transaction.query(statement)));
  await writeDynamicValues(scope, stamped);
  await callAfterSave(scope, stamped);
  return stamped.length;
}

async function callBeforeSave(scope: WriteScope, nodes: readonly InstanceNode[]): Promise<readonly InstanceNode[]> {
  const formOf = compositionForm(scope.model, nodes);
  const prepared: InstanceNode[] = [];
  for (const node of nodes) prepared.push(await calling(node, () => beforeSave(scope, node, formOf)));
  return prepared;
}

async function callAfterSave(scope: WriteScope, nodes: readonly InstanceNode[]): Promise<void> {
  const heard = nodes.filter(({ entity }) => listenersOf(scope, entity).length > 0);
  if (heard.length === 0) return;
  // What a listener changes in an instance of the same transaction is one change with its creation.
  for (const node of nodes) recordChange(scope, node);
  const formOf = compositionForm(scope.model, nodes);
  for (const node of heard) await calling(node, () => afterSave(scope, { node, formOf }));
}

/** A child with an entry of its own may also be listed in its parent, by its id alone. */
function firstOccurrences(nodes: readonly InstanceNode[]): readonly InstanceNode[] {
  const known = new Map<string, InstanceNode>();
  for (const node of nodes) {
    const id = `${node.entity.name} ${keyText(node.key)}`;
    if (!known.has(id)) known.set(id, node);
  }
  return [...known.values()];
}

function inputOf(model: Model, { entity, values }: DemoData['instances'][number], path: string) {
  const context = { model, mode: 'other', readsVersion: false, byApplication: true } as const;
  try {
    return parseInstance(context, entityOf(model, entity), readExactJson(JSON.stringify(values)), path);
  } catch (cause) {
    throw new PlatformError('DATA_CREATE_FAILED', `Demo data, ${entity} ${String(values['id'] ?? '')}`, { cause });
  }
}
