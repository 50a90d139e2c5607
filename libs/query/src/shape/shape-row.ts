import type { SessionValue } from '../access.ts';
import { needsObjects, valueNeedsObjects } from '../compile/compile-read.ts';
import type { RowShape } from '../compile/compiled-statement.ts';
import { ExactNumber, type ExactObject, isExactObject, readExactJson } from '../json/exact-json.ts';
import { INPUTS_MEMBER, POLICY_MEMBER } from '../plan/objects/plan-object.ts';
import { TOKEN_MEMBER } from '../plan/objects/plan-token.ts';
import type { MemberPlan, NameRecipe, ObjectPlan, PolicyPlan } from '../plan/read-plan.ts';
import { jsonValue, plainObject, plainScalar } from './plain-value.ts';
import { type EncryptToken, SECURITY_TOKEN, tokenContent } from './security-token.ts';

export interface ShapeOptions {
  /** Absent values are left out instead of null. */
  readonly omitNulls: boolean;
  /** Values of the caller for row predicates; without it, all are undefined. */
  readonly session?: SessionValue;
  /** Creates the security tokens of plans that require them. */
  readonly encryptToken?: EncryptToken;
}

const NO_SESSION: SessionValue = () => undefined;

/**
 * Last stage: the JSON text of one root. The text of the database is returned unchanged, but without
 * unwanted nulls, unless code must complete it: even then numbers keep every digit.
 *
 * @returns undefined for a row that a predicate hides from the caller
 */
export function shapeRow(json: string, shape: RowShape, options: ShapeOptions): string | undefined {
  if (isFinal(shape, options)) return json;
  const given = options.omitNulls ? withoutNulls(json) : json;
  if (shape.kind === 'text') return given;
  const row = readExactJson(given);
  if (!isExactObject(row)) throw new Error('A row is an object');
  const object = shapeObject(row, shape.object, options);
  return object === undefined ? undefined : JSON.stringify(object);
}

/** Whether the texts of the database are the result: `shapeRow` returns them unchanged. */
export const isFinal = (shape: RowShape, { omitNulls }: Pick<ShapeOptions, 'omitNulls'>): boolean =>
  shape.kind === 'text' && !(shape.hasNulls && omitNulls);

type Shaped = Readonly<Record<string, unknown>>;

function shapeObject(object: ExactObject, plan: ObjectPlan, options: ShapeOptions): Shaped | undefined {
  if (!needsObjects(plan)) return object;
  if (!plan.policies.every((policy) => keepsPolicy(object, policy, options.session ?? NO_SESSION))) return undefined;
  // An instance that is its own ancestor came in the short form: it has the identity alone.
  const members = isShort(object, plan) ? plan.short : plan.members;
  const inputs = inputsOf(object, plan, options.session ?? NO_SESSION);
  const shaped: Record<string, unknown> = {};
  for (const member of members) {
    if (member.name === INPUTS_MEMBER || member.name === POLICY_MEMBER || member.name === TOKEN_MEMBER) continue;
    const value = shapeMember(object, member, inputs, options);
    if (value !== null && value !== undefined) shaped[member.name] = value;
    else if (!options.omitNulls) shaped[member.name] = null;
  }
  if (plan.token !== undefined && options.encryptToken !== undefined)
    shaped[SECURITY_TOKEN] = options.encryptToken(tokenContent(object, shaped, plan.token));
  return shaped;
}

function keepsPolicy(
  object: ExactObject,
  { entity, isOfDescendant, predicates, object: read }: PolicyPlan,
  session: SessionValue,
): boolean {
  const given = isExactObject(object[POLICY_MEMBER]) ? object[POLICY_MEMBER][entity] : undefined;
  // An instance of another descendant is none of the policy's business.
  if (isOfDescendant && !isExactObject(given)) return true;
  const instance = plainObject(isExactObject(given) ? given : {}, read);
  // Code without type checks may return another value than a boolean: a promise is not `true`.
  return predicates.every((predicate) => (predicate.test(instance, session) as unknown) === true);
}

/** Only the whole form has members beyond those of the short one. */
function isShort(object: ExactObject, plan: ObjectPlan): boolean {
  if (plan.cycles.length === 0) return false;
  const short = new Set(plan.short.map(({ name }) => name));
  return Object.keys(object).every((name) => short.has(name));
}

function inputsOf(object: ExactObject, plan: ObjectPlan, session: SessionValue): Shaped {
  const inputs = plan.members.find(({ name }) => name === INPUTS_MEMBER)?.value;
  if (inputs?.kind !== 'object') return {};
  // The same predicates hide members here as in the response.
  const visible = shapeObject((object[INPUTS_MEMBER] ?? {}) as ExactObject, inputs.object, {
    omitNulls: false,
    session,
  });
  return plainObject(visible ?? {}, inputs.object);
}

function shapeMember(
  object: ExactObject,
  { name, value: plan }: MemberPlan,
  inputs: Shaped,
  options: ShapeOptions,
): unknown {
  const value = object[name];
  if (!valueNeedsObjects(plan)) return value;
  switch (plan.kind) {
    case 'name':
      return instanceName(value, plan.recipe);
    case 'computed':
      return plan.attribute.kind === 'datatype'
        ? jsonValue(plan.attribute.compute?.(inputs), plan.attribute.datatype)
        : null;
    case 'object':
    case 'one':
      return isExactObject(value) ? shapeObject(value, plan.object, options) : null;
    case 'many': {
      if (!Array.isArray(value)) return value;
      const kept = value.flatMap((item: ExactObject) => shapeObject(item, plan.object, options) ?? []);
      // An empty list must not reveal that its members are hidden.
      return kept.length === 0 && plan.orNull === true ? null : kept;
    }
    default:
      return value;
  }
}

/** The instance name that the recipe computes from the result of the statement; null if there is no instance. */
function instanceName(value: unknown, recipe: NameRecipe | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (recipe === undefined) return String(value);
  if (!Array.isArray(value)) throw new Error('The parts of an instance name are a list');
  switch (recipe.kind) {
    case 'parts':
      return recipe.recipes.map((part, at) => instanceName(value[at], part) ?? '').join('');
    case 'method': {
      const values = recipe.names.map((name, at) => [name, instanceName(value[at], recipe.recipes[at])]);
      return recipe.format(Object.fromEntries(values) as Readonly<Record<string, string | null>>);
    }
    case 'computed': {
      const values = recipe.values.map(({ name, format }, at) => [name, plainScalar(value[at], format)]);
      const computed = recipe.compute(Object.fromEntries(values));
      return computed === null || computed === undefined ? null : String(computed);
    }
    case 'by-entity': {
      const [at, name]: readonly unknown[] = value;
      return instanceName(name, recipe.recipes[at instanceof ExactNumber ? Number(at.text) : 0]);
    }
    default:
      return recipe satisfies never;
  }
}

/** A name that is followed by null. A quotation mark followed by one of `,:]}` ends a text, so no name begins there. */
const NULL_MEMBER = /"(?![,:\]}])[^"\\]*(?:\\.[^"\\]*)*":null/.source;
const NEXT_MEMBERS = new RegExp(`,${NULL_MEMBER}`, 'g');
const FIRST_MEMBERS = new RegExp(`\\{${NULL_MEMBER},?`, 'g');

/**
 * JSON text without the members of objects that are null, at every depth; elements of lists stay. PostgreSQL's
 * `json_strip_nulls` does the same, but parses and writes the whole text and costs several times as much.
 *
 * @param json without blanks between the tokens; names begin with none of `,:]}`
 */
export function withoutNulls(json: string): string {
  if (!json.includes(':null')) return json;
  const rest = json.replace(NEXT_MEMBERS, '');
  return rest.includes(':null') ? rest.replace(FIRST_MEMBERS, '{') : rest;
}
