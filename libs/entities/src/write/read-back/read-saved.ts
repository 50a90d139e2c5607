import { ignoredPaths, ignoredText, type Principal } from '@lintel/contracts';
import {
  type Attribute,
  BUILT_IN_FETCH_PLANS,
  type Entity,
  entityOf,
  familyTreeOf,
  type Model,
  rootOf,
} from '@lintel/metadata';
import {
  type ExactJson,
  formatEntityId,
  idOf,
  isExactObject,
  keyInSql,
  parseRead,
  readExactJson,
  resolveRead,
  SECURITY_TOKEN,
  type UnknownMember,
} from '@lintel/query';
import { type CallerAccess, type Instance, readBack, responseAccess, unrecorded } from '@lintel/reading';
import { unknownMember } from '../parse/unknown-names.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { type Key, keyText } from '../values/value.ts';
import type { WriteRequest } from '../write-call.ts';
import type { WriteDependencies } from '../write-dependencies.ts';
import { knownIdentity } from './identity-from-write.ts';
import { type Reading, readMany } from './read-many.ts';
import { mayViewVersion } from './shown-version.ts';

/** A root that was saved. */
export interface Saved {
  readonly entity: Entity;
  readonly key: Key;
}

/** With the values that were sent and are not stored. */
export interface SavedRoot extends Saved {
  readonly unstored: ReadonlyMap<string, ExactJson>;
  /** Before the save; undefined for a new instance and for an entity without versions. */
  readonly storedVersion: string | undefined;
}

/** A saved instance as the response has it. */
export interface SavedInstance extends Instance {
  /** Its id in the form of a path. */
  readonly pathId: string;
}

/** What the response to a write contains. */
export interface ResponsePlan {
  /** Undefined for the identity alone. */
  readonly text: string | undefined;
  /** Attributes of the plan that are not stored: the response has the sent value. */
  readonly unstored: ReadonlySet<string>;
  /** The response has no body: nothing is read. */
  readonly isMinimal?: boolean;
  /** Members of the plan that have no meaning, as the header names them. */
  readonly ignored?: string;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Checks the plan of the response before anything is written (contract/writing.md#response).
 *
 * @param preference a representation without a plan is that of a read without one
 * @throws PlatformError (400) if the plan is unknown, invalid, above a limit of the caller, or has unknown members that
 *   are refused
 */
export function resolveResponsePlan(
  { responsePlan: plan, returns: preference, unknownMembers }: Omit<Partial<WriteRequest>, 'body'>,
  entity: Entity,
  principal: Principal,
  deps: WriteDependencies,
): ResponsePlan {
  const isMinimal = preference === 'minimal';
  if (plan === undefined || plan === '') {
    const isIdentity = deps.responseFetchPlanEnabled && preference !== 'representation';
    return { text: isIdentity ? undefined : '_base', unstored: NONE, isMinimal };
  }
  const request = { operation: 'instance', entityName: entity.name, members: { fetchPlan: plan } } as const;
  const parsed = parseRead(request, deps.read.limits, deps.read.limitsOf(principal));
  const { node } = resolveRead(parsed, deps.environment.model);
  const ignored = ignoredInPlan(parsed.unknown, unknownMembers);
  if (!deps.responseFetchPlanEnabled) return { text: '_base', unstored: NONE, isMinimal, ...ignored };
  const unstored = node.properties.flatMap(({ attribute }) => (attribute.persistent ? [] : [attribute.name]));
  const { fetchPlan } = parsed;
  const text = fetchPlan.kind === 'named' ? planForFamily(deps.environment.model, entity, fetchPlan.name) : plan;
  return { text, unstored: new Set(unstored), isMinimal, ...ignored };
}

/** A named plan is one of the entity of the request; a saved instance may be of a descendant, which does not have it. */
function planForFamily(model: Model, entity: Entity, name: string): string {
  const isOfEach = BUILT_IN_FETCH_PLANS.some((each) => each === name);
  if (isOfEach || familyTreeOf(model, entity).length === 1) return name;
  return JSON.stringify({ entity: entity.name, extends: [name] });
}

function ignoredInPlan(
  unknown: readonly UnknownMember[],
  handling: WriteRequest['unknownMembers'] = 'ignore',
): Pick<ResponsePlan, 'ignored'> {
  const [first] = unknown;
  if (first === undefined || handling === 'ignore') return {};
  const found = unknown.map((one) => ({ ...one, inside: one.inside.replace(/^fetchPlan/, 'responseFetchPlan') }));
  if (handling === 'refuse') throw unknownMember(found[0] ?? first);
  return { ignored: ignoredText('query', ignoredPaths(found)) };
}

/**
 * Reads the saved instances back as any read does, inside the transaction; identities that are known need not
 * be read. Of an instance that the caller may not see, the response has only the identity.
 */
export function readSaved(
  saved: readonly SavedRoot[],
  plan: ResponsePlan,
  principal: Principal,
  scope: WriteScope,
  deps: WriteDependencies,
): Reading<readonly SavedInstance[]> {
  const access = responseAccess(deps.read.loadAccess(principal), deps.read);
  if (plan.isMinimal === true)
    return { isPlain: true, result: Promise.resolve(saved.map((root) => unreadInstance(root, scope, access))) };
  // Part of every response to a write (contract/dynamic-attributes.md#reading).
  const asked = { plan: plan.text, dynamicAttributes: scope.model.dynamicAttributes.size > 0 };
  const isIdentity = plan.text === undefined && !asked.dynamicAttributes;
  const known = new Map<SavedRoot, Instance>();
  if (isIdentity)
    for (const root of saved) {
      const identity = knownIdentity(scope, root, access);
      if (identity !== undefined) known.set(root, identity);
    }
  const unknown = saved.filter((root) => !known.has(root));
  const readings = [...Map.groupBy(unknown, ({ entity }) => entity)].map(([entity, group]) => {
    const keys = group.map(({ key }) => key);
    return { entity, reading: readMany(scope, entityOf(scope.model, entity.name), keys, asked, access, deps) };
  });
  const readAll = async (): Promise<readonly SavedInstance[]> => {
    const results = await Promise.all(readings.map(({ reading }) => reading.result));
    const found = new Map(readings.map(({ entity }, at) => [entity, results[at]]));
    await noteIdentities(scope.model, access, [...known.keys()]);
    return saved.map((root) => shownAs(root, known.get(root) ?? found.get(root.entity)?.get(keyText(root.key))));
  };
  return { isPlain: readings.every(({ reading }) => reading.isPlain), result: readAll() };

  function shownAs({ entity, key, unstored }: SavedRoot, instance: Instance | undefined): SavedInstance {
    const id = idOf(scope.model, entity, key);
    const token = deps.read.tokens?.encrypt({ entity: entity.name, id: id as ExactJson, hidden: {} });
    const identity = { _entityName: entity.name, id, ...(token === undefined ? {} : { [SECURITY_TOKEN]: token }) };
    const hidden = { json: JSON.stringify(identity), version: undefined };
    const shown = [...unstored].filter(
      ([name]) => plan.unstored.has(name) && access.read.entity(entity.name).mayView(name),
    );
    const answered = instance === undefined || shown.length === 0 ? (instance ?? hidden) : withValues(instance, shown);
    return { ...withoutNames(answered, scope.model, deps), pathId: formatEntityId(scope.model, entity, id) };
  }
}

/** Records instances whose identity the response has without a read. */
async function noteIdentities(model: Model, { reader }: CallerAccess, saved: readonly SavedRoot[]): Promise<void> {
  if (reader === undefined) return;
  for (const [root, group] of Map.groupBy(saved, ({ entity }) => rootOf(model, entity))) {
    const ids = group.map(({ entity, key }) => formatEntityId(model, entity, idOf(model, entity, key)));
    if (root.accessLog !== undefined) await reader.log.add(reader, [{ entity: root.name, ids, count: ids.length }]);
  }
}

/** What a response without a body needs: the id, and the version, which the save knows. */
function unreadInstance({ entity, key, storedVersion }: SavedRoot, scope: WriteScope, access: CallerAccess) {
  const { version: name } = entity.system;
  const written = name === undefined ? undefined : scope.changes.find(entity, key)?.after?.get(name);
  const version = written === undefined || written === null ? storedVersion : String(written);
  const isShown = version !== undefined && mayViewVersion(scope.model, entity, access);
  const pathId = formatEntityId(scope.model, entity, idOf(scope.model, entity, key));
  return { json: '', version: isShown ? version : undefined, pathId };
}

/** Adds the sent values that are not stored to the response (contract/writing.md#response). */
function withValues(instance: Instance, values: readonly (readonly [string, ExactJson])[]): Instance {
  const json = readExactJson(instance.json);
  if (!isExactObject(json)) return instance;
  const given = Object.fromEntries(values.filter(([, value]) => value !== null));
  const { [SECURITY_TOKEN]: token, ...members } = json;
  const last = token === undefined ? {} : { [SECURITY_TOKEN]: token };
  return { ...instance, json: JSON.stringify({ ...members, ...given, ...last }) };
}

/** Without response plans a response has no instance names (contract/writing.md#response). */
function withoutNames(instance: Instance, model: Model, deps: WriteDependencies): Instance {
  if (deps.responseFetchPlanEnabled) return instance;
  return { ...instance, json: JSON.stringify(withoutInstanceNames(model, readExactJson(instance.json))) };
}

/** The caller's `_local` representation of a stored instance, compared with `If-Match` if there is no version. */
export const readLocal = (
  { entity, key }: Saved,
  principal: Principal,
  scope: WriteScope,
  deps: WriteDependencies,
): Promise<Instance | undefined> =>
  readBack(
    entity,
    keyInSql(scope.model, entity, key),
    '_local',
    responseAccess(unrecorded(deps.read.loadAccess(principal)), deps.read),
    deps.read,
    scope.transaction,
    { deleted: 'with' },
  );

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
