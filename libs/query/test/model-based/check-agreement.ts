import { type Entity, isLocal, isToMany } from '@lintel/metadata';
import type { Database } from '@lintel/persistence';
import {
  bindStatement,
  type Condition,
  compileRead,
  conditionPredicate,
  parseRead,
  planRead,
  type RowPredicate,
  resolveRead,
  secureRead,
  shapeRow,
  UNLIMITED,
  type Value,
} from '@lintel/query';
import { fc } from '@lintel/testkit/properties';
import { type Caller, readAccessOf, TRUSTED } from './caller.ts';
import { between, type Choose, chance, pick, times } from './choose.ts';
import { choosePath, operatorsOf, presentValues } from './generate-filter.ts';
import { generateOperand } from './sent-values.ts';
import { withStoredWorld } from './stored-world.ts';
import type { World } from './world.ts';

/** What the generated policies came to. */
export interface AgreementTally {
  policies: number;
  /** Those that only the database can test. */
  unsupported: number;
  /** Those that keep some rows and hide others. */
  selective: number;
}

export const newAgreementTally = (): AgreementTally => ({ policies: 0, unsupported: 0, selective: 0 });

/** Values that a policy's parameters have; others have none. */
const SESSION: Readonly<Record<string, unknown>> = { yes: true };

/**
 * Makes a model with data from the seed, and policies on its entities: as a query policy and as a predicate
 * each of them must keep the same rows.
 *
 * @throws Error naming the first policy with which they differ
 */
export async function checkAgreement(seed: number, policies: number, tally: AgreementTally): Promise<void> {
  await withStoredWorld(seed, async (database, world) => {
    const entities = [...world.model.entities.values()].filter(({ kind }) => kind === 'entity');
    const property = fc.asyncProperty(fc.gen(), async (choose) => {
      const entity = pick(choose, entities);
      const condition = generateCondition(choose, world, entity, 0);
      const predicate = predicateOf(world, entity, condition);
      tally.policies += 1;
      if (predicate === undefined) {
        tally.unsupported += 1;
        return;
      }
      const all = await idsOf(database, world, entity, TRUSTED);
      const asQuery = await idsOf(
        database,
        world,
        entity,
        callerWith({ policies: new Map([[entity.name, condition]]) }),
      );
      const asPredicate = await idsOf(
        database,
        world,
        entity,
        callerWith({ predicates: new Map([[entity.name, predicate]]) }),
      );
      tally.selective += Number(asQuery.length > 0 && asQuery.length < all.length);
      if (JSON.stringify(asQuery) !== JSON.stringify(asPredicate))
        throw new Error(
          `${entity.name}: ${JSON.stringify(condition)}\nas a query ${asQuery.join()}\nas a predicate ${asPredicate.join()}`,
        );
    });
    const { failed, errorInstance } = await fc.check(property, { numRuns: policies, seed });
    if (failed) throw new Error(`Model ${seed}: ${(errorInstance as Error).stack}`);
  });
}

const callerWith = (limits: Partial<Caller>): Caller => ({ ...TRUSTED, session: SESSION, ...limits });

function predicateOf({ model }: World, entity: Entity, condition: Condition): RowPredicate | undefined {
  try {
    return conditionPredicate(model, entity, condition);
  } catch (error) {
    if (error instanceof Error && /composite key|no single value/.test(error.message)) return undefined;
    throw error;
  }
}

/** The ids of the rows that the caller may see, sorted. */
async function idsOf(database: Database, { model }: World, entity: Entity, caller: Caller): Promise<readonly string[]> {
  const members = { fetchPlan: { entity: entity.name, properties: [] } };
  const parsed = parseRead(
    { operation: 'list', entityName: entity.name, members },
    { inlineFetchPlansEnabled: true },
    UNLIMITED,
  );
  const secured = secureRead(resolveRead(parsed, model), readAccessOf(model, caller));
  const template = compileRead(planRead(secured, { limited: false }));
  const sessionValue = (name: string): unknown => caller.session[name];
  const bound = { model, inputs: [], id: [], limit: undefined, offset: undefined, sessionValue };
  const { text, values } = bindStatement(template, bound);
  const rows = await database.query<{ json: string }>({ text, values });
  return rows
    .flatMap(({ json }) => shapeRow(json, template.shape, { omitNulls: true, session: sessionValue }) ?? [])
    .map((row) => JSON.stringify((JSON.parse(row) as { id: unknown }).id))
    .sort();
}

/** A condition over the instance and its to-one references. */
function generateCondition(choose: Choose, world: World, entity: Entity, depth: number): Condition {
  const kind = depth >= 2 ? 'test' : pick(choose, ['and', 'or', 'not', 'test', 'test', 'test'] as const);
  const inner = (): Condition => generateCondition(choose, world, entity, depth + 1);
  if (kind === 'and' || kind === 'or') return { kind, conditions: times(between(choose, 1, 3), inner) };
  if (kind === 'not') return { kind, condition: inner() };
  const chosen = choosePath(choose, world, entity, (one) => one.kind !== 'elements' && !isToMany(one));
  if (chosen === undefined || chance(choose, 3)) return { kind: 'constant', value: chance(choose, 50) };
  const { path, owner, leaf } = chosen;
  if (!isLocal(leaf) || chance(choose, 15)) return { kind: 'null', path, negated: chance(choose, 50) };
  const operators = operatorsOf(owner, leaf).filter((one) => !['startsWith', 'endsWith'].includes(one));
  const operator = pick(choose, operators);
  const present = presentValues(world, owner, leaf);
  const value = (): Value => {
    if (chance(choose, 5)) return { kind: 'parameter', name: 'missing' };
    const { value: operand } = generateOperand(choose, world.model, leaf, present);
    return { kind: 'literal', value: typeof operand === 'boolean' ? operand : String(operand) };
  };
  if (operator === 'in' || operator === 'notIn')
    return { kind: 'in', path, negated: operator === 'notIn', values: times(between(choose, 1, 3), value) };
  return operator === 'contains' || operator === 'doesNotContain'
    ? { kind: 'text', path, operator, value: value() }
    : { kind: 'comparison', path, operator: operator as '=' | '<>' | '<' | '<=' | '>' | '>=', value: value() };
}
