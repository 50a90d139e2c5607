import type { Application } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { createDatabase, type Statement } from '@lintel/persistence';
import { type ExactObject, readExactJson } from '@lintel/query';
import {
  createCursorCodec,
  createReadDependencies,
  NO_PREFERENCES,
  NO_REQUEST_LIMITS,
  readEntities,
} from '@lintel/reading';
import { applicationRoles, createAccessDirectory } from '@lintel/security';
import { cloneTestDatabase } from '@lintel/testkit';
import { schemaOf } from './schema-of.ts';

/** A node of a plan as `EXPLAIN (FORMAT JSON)` writes it; measured values are present if the statement was run. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  /** Per loop, like `Actual Rows`. */
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Loops'?: number;
  /** Includes the blocks of the child nodes. */
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

export const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The cost of statements, independent of the load of the machine. */
export interface Work {
  /** Rows that were read from tables and indexes. */
  readonly rows: number;
  /** Blocks of 8 KiB that were accessed. */
  readonly blocks: number;
}

/** The work of executed statements. */
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

/** A caller with full access, changed by `given`. */
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
 * `plan` does not run the statement; `generic` plans it for all values, as the database may do with a prepared
 * statement; `run` runs it and measures.
 */
export type Explaining = 'plan' | 'generic' | 'run';

/** Starts the read pipeline with its own database; shows the plans of the statements. */
export async function startExplainedReads(application: Application) {
  const server = await cloneTestDatabase(schemaOf(application.model), 'plans');
  const database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
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
    limits: { maxFetchSize: () => 10_000, inlineFetchPlansEnabled: true, maxBodyBytes: 1 },
  });

  async function explain({ text, values }: Statement, how: Explaining): Promise<PlanNode> {
    // Only the simple protocol accepts a statement without the values of its parameters.
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
    /** The result of the read, and the plans of its statements. */
    async read(entityName: string, members: object, principal: Principal, how: Explaining = 'plan') {
      statements = [];
      const result = await readEntities(
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
      // Ends the transaction of a streamed list, which is not read.
      if (result.kind === 'stream') await result.batches[Symbol.asyncIterator]().return?.();
      const plans: PlanNode[] = [];
      for (const statement of statements) plans.push(await explain(statement, how));
      return { result: result, plans };
    },
    async close() {
      await database.close();
      await server.drop();
    },
  };
}

export type ExplainedReads = Awaited<ReturnType<typeof startExplainedReads>>;
