import type { Application } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import {
  createCursorCodec,
  createReadDependencies,
  NO_PREFERENCES,
  NO_REQUEST_LIMITS,
  readEntities,
} from '@lintel/entities';
import { createDatabase, type Statement } from '@lintel/persistence';
import { type ExactObject, readExactJson } from '@lintel/query';
import { applicationRoles, createAccessDirectory } from '@lintel/security';
import { cloneTestDatabase } from '@lintel/testkit';
import { schemaOf } from './schema-of.ts';

/** A node of a plan as `EXPLAIN (FORMAT JSON)` writes it; the figures are there when the statement was run. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  /** Of each loop, like the rows. */
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Loops'?: number;
  /** With those of the nodes below. */
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

export const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** What statements cost, whatever else the machine does. */
export interface Work {
  /** Rows that were read from tables and indexes. */
  readonly rows: number;
  /** Blocks of 8 KiB that were looked at. */
  readonly blocks: number;
}

/** The work of statements that were run. */
export function workOf(plans: readonly PlanNode[]): Work {
  const rows = plans
    .flatMap(nodesOf)
    .filter((node) => node['Relation Name'] !== undefined)
    .reduce((sum, node) => {
      const read = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
      return sum + read * (node['Actual Loops'] ?? 0);
    }, 0);
  const blocks = plans.reduce(
    (sum, node) => sum + (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0),
    0,
  );
  return { rows, blocks };
}

/** Someone who may do everything, but for what is given. */
export const callerWith = (given: Partial<Principal> = {}): Principal => ({
  username: 'anna',
  kind: 'user',
  userId: null,
  clientId: 'c',
  sessionId: 's',
  resourceRoles: ['system-full-access'],
  rowLevelRoles: [],
  locale: null,
  attributes: {},
  actingService: undefined,
  ...given,
});

/**
 * `plan` does not run the statement; `generic` plans it once for all values, as the database may do with a
 * prepared one; `run` runs it and counts.
 */
export type Explaining = 'plan' | 'generic' | 'run';

/** The read line on a database of its own, to see how the database goes about its statements. */
export async function startExplainedReads(application: Application) {
  const server = await cloneTestDatabase(schemaOf(application.model), 'plans');
  const database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 20_000,
    applicationName: 'test',
  });
  let statements: Statement[] = [];
  const roles = applicationRoles(application);
  const deps = createReadDependencies({
    currentRoles: () => roles,
    application,
    accessOf: createAccessDirectory(() => roles),
    database: {
      query(statement, signal) {
        statements.push(statement);
        return database.query(statement, signal);
      },
      stream(statement, options) {
        statements.push(statement, ...(options.first === undefined ? [] : [options.first]));
        return database.stream(statement, options);
      },
    },
    cursors: createCursorCodec({ secret: 'test', ids: { next: () => crypto.randomUUID() } }),
    limitsOf: () => NO_REQUEST_LIMITS,
    limits: { maxFetchSize: () => 10_000, inlineFetchPlansEnabled: true, serverTimingEnabled: true, maxBodyBytes: 1 },
  });

  async function explain({ text, values }: Statement, how: Explaining): Promise<PlanNode> {
    // The simple protocol alone leaves the parameters open.
    if (how === 'generic') {
      const [row] = await server.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
        `EXPLAIN (FORMAT JSON, GENERIC_PLAN) ${text}`,
      );
      if (row === undefined) throw new Error('Nothing was explained');
      return row['QUERY PLAN'][0].Plan;
    }
    const options = how === 'run' ? 'FORMAT JSON, ANALYZE, BUFFERS, TIMING OFF' : 'FORMAT JSON';
    const [row] = await database.query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN (${options}) ${text}`, values });
    const [{ Plan }] = JSON.parse(row?.['QUERY PLAN'] ?? '') as [{ Plan: PlanNode }];
    return Plan;
  }

  return {
    query: server.query,
    /** The answer to the request, and the plans of the statements that it ran. */
    async read(entityName: string, members: object, principal: Principal, how: Explaining = 'plan') {
      statements = [];
      const answer = await readEntities(
        {
          operation: 'id' in members ? 'instance' : 'list',
          entityName,
          ...('id' in members ? { id: String(members.id) } : {}),
          isFromBody: false,
          members: readExactJson(JSON.stringify(members)) as ExactObject,
          preferences: NO_PREFERENCES,
        },
        principal,
        deps,
        new AbortController().signal,
      );
      // A streamed list is not read: its transaction ends here.
      if (answer.kind === 'stream') await answer.batches[Symbol.asyncIterator]().return?.();
      const plans: PlanNode[] = [];
      for (const statement of statements) plans.push(await explain(statement, how));
      return { answer, plans };
    },
    async close() {
      await database.close();
      await server.drop();
    },
  };
}

export type ExplainedReads = Awaited<ReturnType<typeof startExplainedReads>>;
