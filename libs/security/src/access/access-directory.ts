import type { RoleRegistry } from '../roles/role-registry.ts';
import type { Access } from './access.ts';
import { accessAfter, strongestAccess } from './access-after.ts';
import { buildAccess } from './build-access.ts';
import { reportOnce } from './report-once.ts';

/** The caller's roles, as a session names them. */
export interface RoleHolder {
  readonly kind: 'user' | 'client' | 'anonymous';
  readonly resourceRoles: readonly string[];
  /** Strength of the login of a user. */
  readonly acr?: string | undefined;
}

/** What a caller may do, decided from the roles of the session. */
export type AccessOf = (caller: RoleHolder) => Access;

/** Sets of roles are few; more than this means that they are generated. */
const MAX_REMEMBERED = 1_000;

/**
 * Decides access once per set of roles, until the roles change. All roles of an anonymous caller count, of
 * others those with the scope `API` (contract/tokens.md#anonymous, contract/roles.md#combination).
 *
 * @param onUnknownRole called once for each code that a caller has and no role
 */
export function createAccessDirectory(
  currentRoles: () => RoleRegistry,
  onUnknownRole: (code: string) => void = () => {},
): AccessOf {
  const report = reportOnce(onUnknownRole);
  let decisions: Decisions | undefined;
  return (caller) => {
    const registry = currentRoles();
    if (decisions?.registry !== registry) decisions = new Decisions(registry, report);
    return decisions.of(caller);
  };
}

/** The access decisions that were made with one registry of roles. */
class Decisions {
  readonly registry: RoleRegistry;
  readonly #known = new Map<string, Access>();
  // Requests of one session use the same array, so the look-up by its content is not necessary.
  readonly #bySession = {
    api: new WeakMap<readonly string[], Access>(),
    anonymous: new WeakMap<readonly string[], Access>(),
  };

  readonly #report: (code: string) => void;

  constructor(registry: RoleRegistry, report: (code: string) => void) {
    this.registry = registry;
    this.#report = report;
  }

  of({ kind, resourceRoles, acr }: RoleHolder): Access {
    const isAnonymous = kind === 'anonymous';
    const remembered = isAnonymous ? this.#bySession.anonymous : this.#bySession.api;
    const access = remembered.get(resourceRoles) ?? this.#decide(resourceRoles, !isAnonymous);
    remembered.set(resourceRoles, access);
    if (access.afterLogin === undefined) return access;
    // Clients have no login that could become stronger.
    return kind === 'client' ? strongestAccess(access) : accessAfter(access, acr);
  }

  #decide(resourceRoles: readonly string[], requireApiScope: boolean): Access {
    const key = JSON.stringify([requireApiScope, [...resourceRoles].sort()]);
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    for (const code of resourceRoles) if (!this.registry.resourceRoles.has(code)) this.#report(code);
    const access = buildAccess(resourceRoles, this.registry.resourceRoles, { requireApiScope });
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(key, access);
    return access;
  }
}
