import { hash } from 'node:crypto';
import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { type ReadAccess, resolveEntity } from '@lintel/query';
import {
  type CallerAccess,
  createAccessSource,
  NO_PREFERENCES,
  type ReadDependencies,
  type ReadResult,
  readEntities,
  readIn,
} from '@lintel/reading';
import {
  type AccessOf,
  assertPolicyReadable,
  PolicyError,
  type RoleRegistry,
  type RowPolicy,
  readRowPolicy,
  type StoredRowPolicy,
} from '@lintel/security';
import type { RightsDeps } from './rights-deps.ts';

/** A row-level role that a user has for one request. */
export interface DraftRole {
  readonly code: string;
  readonly policies: readonly StoredRowPolicy[];
}

/** The body of the response to `POST /rights/preview`; `rows` are JSON texts. */
export interface RowPreview {
  readonly canRead: boolean;
  readonly count: number;
  readonly rows: readonly string[];
}

const MAX_ROWS = 20;

/**
 * The instances of an entity that a user sees: their number, and the first ones.
 *
 * @param draft the user has this role, and not the stored one of the same code
 * @param caller what the caller, who is the reader, may read: the policies of the draft are filters of the caller
 * @throws PlatformError for an unknown entity, REQ_INVALID_PARAMETER that names the wrong policy, ACCESS_READ_DENIED
 */
export async function previewRows(
  entityName: string,
  user: Principal,
  draft: DraftRole | undefined,
  caller: CallerAccess,
  deps: Pick<RightsDeps, 'read' | 'currentRoles' | 'accessOf'>,
  signal: AbortSignal,
): Promise<RowPreview> {
  const { read, currentRoles, accessOf } = deps;
  const model = read.currentModel();
  resolveEntity(model, entityName);
  const principal =
    draft === undefined ? user : { ...user, rowLevelRoles: [...new Set([...user.rowLevelRoles, draft.code])] };
  const registry =
    draft === undefined
      ? currentRoles()
      : withRowRole(currentRoles(), draft.code, readPolicies(model, draft, caller.read), user);
  const used = draft === undefined ? read : readingWith(registry, accessOf, read);
  if (!used.loadAccess(principal).read.entity(entityName).canRead) return { canRead: false, count: 0, rows: [] };
  const result = await readEntities(
    {
      operation: 'list',
      entityName,
      members: { limit: String(MAX_ROWS), fetchPlan: '_base', returnCount: 'true' },
      isFromBody: false,
      preferences: { ...NO_PREFERENCES, count: 'exact' },
    },
    principal,
    { ...used, loadAccess: (each) => readIn({ ...used.loadAccess(each), reader: caller.reader }, 'preview') },
    signal,
  );
  return { canRead: true, ...listOf(result) };
}

function readPolicies(model: Model, { policies }: DraftRole, author: ReadAccess): readonly RowPolicy[] {
  return policies.map((policy, at) => {
    try {
      const read = readRowPolicy(model, policy);
      assertPolicyReadable(model, policy, author);
      return read;
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      throw new PlatformError('REQ_INVALID_PARAMETER', `policies.${at}.${error.attribute}: ${error.message}`);
    }
  });
}

/** Roles in which a row-level role has other policies; of the others only those of the user are there. */
export function withRowRole(
  current: RoleRegistry,
  code: string,
  policies: readonly RowPolicy[],
  { rowLevelRoles }: Pick<Principal, 'rowLevelRoles'>,
): RoleRegistry {
  const rowRoles = new Map([...current.rowRoles].filter(([known]) => rowLevelRoles.includes(known)));
  rowRoles.set(code, { code, name: code, policies });
  // A function has no text: two drafts with functions never have the same statements.
  const texts = policies.map((policy) => (policy.kind === 'query' ? policy : crypto.randomUUID()));
  const version = `draft ${hash('sha256', JSON.stringify([current.version, code, texts]), 'base64url')}`;
  return { version, resourceRoles: current.resourceRoles, rowRoles };
}

/** Reading with other roles. */
export const readingWith = (registry: RoleRegistry, accessOf: AccessOf, read: ReadDependencies): ReadDependencies => ({
  ...read,
  loadAccess: createAccessSource(read.currentModel(), () => registry, accessOf),
});

function listOf(result: ReadResult): Pick<RowPreview, 'count' | 'rows'> {
  if (result.kind !== 'list') throw new Error('a short page is not streamed');
  return { count: result.total ?? result.rows.length, rows: result.rows };
}
