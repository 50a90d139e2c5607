import { createMemo, declareCache } from '@lintel/cache';
import type { Principal } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import { type Entity, type Model, rootOf } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';
import {
  bindStatement,
  type CountPlan,
  compileAny,
  fileTestsOf,
  type ParsedQuery,
  parseRead,
  planCount,
  resolveRead,
  type SecuredQuery,
  type StatementTemplate,
  secureRead,
  UNLIMITED,
} from '@lintel/query';
import { noteRead } from '../access-log/note-read.ts';
import { bindRead } from '../prepare/prepared-read.ts';
import { shapeRows } from '../prepare/shape-rows.ts';
import type { CallerAccess, ReadDependencies } from '../read-dependencies.ts';
import { compileQuery } from '../statements/compile-query.ts';
import { executeRows } from '../statements/execute-statement.ts';
import type { CompiledRead } from '../statements/statement-cache.ts';

/** How to find out whether something that a caller may read refers to a file. */
interface FileSearch {
  /** Reads of entities with an access log, which come first: a download is recorded for each instance. */
  readonly recorded: FileSearch['reads'];
  readonly statements: readonly StatementTemplate[];
  /** Reads of entities whose rows a predicate hides: it is evaluated for each row that refers to the file. */
  readonly reads: readonly { readonly parsed: ParsedQuery; readonly compiled: CompiledRead }[];
}

const FILE_SEARCHES = declareCache({
  name: 'file-searches',
  holds: 'the statement that looks for references to a file',
  where: ['data'],
  keyedBy: 'model version, fingerprint of the caller’s access',
  maxEntries: 200,
  invalidatedBy: [],
  staleness: 'of its versions',
  whileAway: 'no source',
});
const searches = createMemo<string, FileSearch>(FILE_SEARCHES);

/** The keys of files that a caller may not read, of those that are referred to: a write must not open them. */
export type UnreadableFiles = (
  fileRefs: readonly string[],
  principal: Principal,
  database: StatementRunner,
  /** Instances by which the caller reads a file are recorded (contract/access-log.md#recorded). */
  isDownload?: boolean,
) => Promise<ReadonlySet<string>>;

/** The dependencies of `refersToFile`. */
export interface FileSearchDependencies extends Pick<ReadDependencies, 'currentModel' | 'loadAccess' | 'displayIn'> {
  readonly database: StatementRunner;
  /** Entities of different groups are in different databases. */
  readonly groupOf: (entity: Entity) => string;
}

/**
 * Whether the caller may read an instance, and an attribute of it, that refers to a file (contract/files.md#access). One
 * statement decides it for all entities, except those whose rows a predicate hides.
 *
 * @param key `<storage>://<path>`
 */
export async function refersToFile(
  key: string,
  principal: Principal,
  deps: FileSearchDependencies,
  signal?: AbortSignal,
): Promise<boolean> {
  const model = deps.currentModel();
  const access = deps.loadAccess(principal);
  const { recorded, statements, reads } = searches.get(`${model.version} ${access.read.fingerprint}`, () =>
    createSearch(model, access, deps),
  );
  const inputs = [`${key}?`];
  const isReferred = async (all: FileSearch['reads']): Promise<boolean> => {
    let isFound = false;
    for (const { parsed, compiled } of all) {
      const read = { parsed: { ...parsed, inputs }, model, access, compiled, isKnown: false, after: undefined };
      const rows = await executeRows(bindRead(read, compiled.rows), read, deps.database, signal);
      const shown = await shapeRows(read, rows, (json) => json);
      await noteRead(read, shown);
      isFound ||= shown.length > 0;
    }
    return isFound;
  };
  if (await isReferred(recorded)) return true;
  for (const template of statements) {
    const { name, text, values } = bindStatement(template, {
      model,
      inputs,
      id: [],
      limit: undefined,
      offset: undefined,
      sessionValue: access.sessionValue,
    });
    const [row] = await deps.database.query<{ readonly found: boolean }>({ name, text, values }, signal);
    if (row?.found === true) return true;
  }
  return isReferred(reads);
}

function createSearch(model: Model, access: CallerAccess, { groupOf, displayIn }: FileSearchDependencies): FileSearch {
  const plans = new Map<string, CountPlan[]>();
  const reads: { parsed: ParsedQuery; compiled: CompiledRead }[] = [];
  const recorded: typeof reads = [];
  for (const entity of model.entities.values()) {
    if (entity.kind !== 'entity') continue;
    for (const filter of fileTestsOf(model, entity)) {
      const parsed = parseRead(
        { operation: 'list', entityName: entity.name, members: { fetchPlan: '_instance_name' } },
        { inlineFetchPlansEnabled: false },
        UNLIMITED,
      );
      const secured = ifVisible(() => secureRead({ ...resolveRead(parsed, model), filter }, access.read));
      if (secured === undefined) continue;
      const isRecorded = rootOf(model, entity).accessLog !== undefined;
      if (secured.node.policy === undefined && !isRecorded) {
        const group = plans.get(groupOf(entity)) ?? [];
        plans.set(groupOf(entity), [...group, planCount(secured)]);
        continue;
      }
      const variant = { isUnlimited: true, after: undefined, display: displayIn(access.locale), tokens: false, filter };
      (isRecorded ? recorded : reads).push({ parsed, compiled: compileQuery(parsed, model, access.read, variant) });
    }
  }
  return { recorded, statements: [...plans.values()].map(compileAny), reads };
}

/** Undefined where the caller may not read the entity or the attribute, or only after a stronger login. */
function ifVisible(secure: () => SecuredQuery): SecuredQuery | undefined {
  try {
    return secure();
  } catch (error) {
    if (isPlatformError(error) && (error.code === 'ACCESS_READ_DENIED' || error.code === 'AUTH_STEP_UP_REQUIRED'))
      return undefined;
    throw error;
  }
}
