import { genericRoutes, type RouteDescription } from '@lintel/contracts';
import { ACTIONS, BOUND, DATA, ENTITIES, ROLE_CODES, ROW_CODES, SPECIFICS } from './application.ts';
import type { Random } from './random.ts';
import type { State } from './state.ts';

/** A request of the caller. */
export interface Sent {
  readonly route: string;
  readonly method: string;
  /** Below `/rest`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Tags of routes that write neither identities nor rights. Those of tokens are of auth, which issues what a user has. */
const OTHER_TAGS: ReadonlySet<string> = new Set([
  'Tokens',
  'Search',
  'Queries',
  'Services',
  'Files',
  'Reports',
  'Operation',
]);
const PATHS = {
  basePath: '/rest',
  entitiesPath: '/entities',
  changesPath: '/changes',
  docsPath: '/docs',
  metadataPath: '/metadata',
  filesPath: '/files',
  messagesPath: '/messages',
  permissionsPath: '/permissions',
  queriesPath: '/queries',
  servicesPath: '/services',
  userInfoPath: '/userInfo',
  userSessionPath: '/user-session',
  apiKeysPath: '/api-keys',
  clientsPath: '/clients',
  operationsPath: '/operations',
  rightsPath: '/rights',
  ticketsPath: '/tickets',
  capabilitiesPath: '/capabilities',
};

/** All routes that write, of all other tags: a new one is among them by itself. */
export const ROUTES: readonly RouteDescription[] = genericRoutes(PATHS).filter(
  ({ method, tag }) => method !== 'get' && method !== 'head' && !OTHER_TAGS.has(tag),
);
const ENTITY_ROUTES = ROUTES.filter(({ path }) => path.includes('{entityName}'));

export const NAMES = ['cora', 'dan', 'eve', 'finn', 'gina'] as const;
/** A name with assignments and without a user, as earlier versions accepted. */
export const GHOST = 'ghost';
const CODES = [...ROLE_CODES, 'rest-minimal', 'system-full-access'];
const ANY_ID = '0198a000-0000-7000-8000-00000000000f';
export const PASSWORD = 'x1y2z3-long!';

/** Makes one request after the other, about what the state has. */
export class Requests {
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(state: State): Sent {
    const random = this.#random;
    const route = random.one(random.chance(0.75) ? ENTITY_ROUTES : ROUTES);
    const entity = random.one(BOUND);
    const id = this.#idOf(entity, state);
    const path = route.path
      .replace('/rest', '')
      .replace('{entityName}', entity)
      .replace('{entityId}', id)
      .replaceAll(/\{\w+\}/g, () => random.one([ANY_ID, 'web', `of-${this.#name(state)}`]));
    const takesName = route.parameters?.some((parameter) => parameter.in === 'query' && parameter.name === 'username');
    const query = takesName && random.chance(0.8) ? `?username=${this.#name(state)}` : '';
    const isPatch = route.method === 'patch' && random.chance(0.5);
    return {
      route: route.operationId,
      method: route.method.toUpperCase(),
      path: path + query,
      headers:
        route.method === 'patch'
          ? { 'content-type': isPatch ? 'application/json-patch+json' : 'application/merge-patch+json' }
          : {},
      body: path.startsWith('/entities/')
        ? this.#bodyOf(route, entity, isPatch, state)
        : route.request === undefined
          ? undefined
          : this.#named(route.request.example ?? {}, state),
    };
  }

  #bodyOf({ method, path }: RouteDescription, entity: string, isPatch: boolean, state: State): unknown {
    const random = this.#random;
    const isOne = path.endsWith('{entityId}');
    const ids = (): readonly string[] =>
      Array.from({ length: 1 + random.below(2) }, () => this.#idOf(entity, state)).filter(
        (id, at, all) => all.indexOf(id) === at,
      );
    if (method === 'delete') return isOne ? undefined : ids();
    if (method === 'post') {
      const many = random.chance(0.3);
      // Instances with an id that exists are updated, where the API does so.
      const create = () => ({
        ...this.#instance(entity, state),
        ...(random.chance(0.15) && { id: this.#idOf(entity, state) }),
      });
      return many ? [create(), create()] : create();
    }
    if (isPatch) {
      const of = (prefix: string) =>
        Object.entries(this.#part(entity, state)).map(([name, value]) => ({
          op: 'add',
          path: `${prefix}/${name}`,
          value,
        }));
      return isOne ? of('') : ids().flatMap((id) => of(`/${id}`));
    }
    return isOne ? this.#part(entity, state) : ids().map((id) => ({ id, ...this.#part(entity, state) }));
  }

  /** Some members of an instance. */
  #part(entity: string, state: State): Record<string, unknown> {
    const members = Object.entries(this.#instance(entity, state));
    const some = this.#random.some(members, 0.4);
    return Object.fromEntries(some.length === 0 ? [this.#random.one(members)] : some);
  }

  #instance(entity: string, state: State): Record<string, unknown> {
    const random = this.#random;
    this.#count += 1;
    const fresh = `n${this.#count}`;
    switch (entity) {
      case 'sec_User':
        return {
          username: random.one([fresh, fresh, GHOST, this.#name(state)]),
          password: PASSWORD,
          email: `${fresh}@t.example`,
          firstName: fresh,
          active: random.chance(0.8),
          country: random.one(['DE', 'FR']),
        };
      case 'sec_RoleAssignment': {
        const isRow = random.chance(0.25);
        return {
          username: this.#name(state),
          roleCode: isRow ? random.one(this.#rowCodes(state)) : this.#code(state),
          roleType: isRow ? 'row-level' : 'resource',
        };
      }
      case 'sec_ResourceRole':
        return {
          name: fresh,
          code: random.one([fresh, fresh, this.#code(state)]),
          scopes: random.one([['API'], ['API', 'UI'], ['UI'], []]),
          childRoles: random.chance(0.5) ? [this.#code(state)] : [],
          resourcePolicies: Array.from({ length: random.below(3) }, () => this.#policy(state, 'sec_ResourcePolicy')),
        };
      case 'sec_ResourcePolicy':
        return { ...this.#policy(state), role: { id: this.#idOf('sec_ResourceRole', state) } };
      case 'sec_RowLevelRole':
        return {
          name: fresh,
          code: random.one([fresh, fresh, random.one(this.#rowCodes(state))]),
          rowLevelPolicies: Array.from({ length: random.below(3) }, () => this.#rule(state, 'sec_RowLevelPolicy')),
        };
      case 'sec_RowLevelPolicy':
        return { ...this.#rule(state), role: { id: this.#idOf('sec_RowLevelRole', state) } };
      default:
        return {
          name: fresh,
          account: {
            ...(random.chance(0.4) && { id: this.#idOf('sec_User', state) }),
            ...this.#part('sec_User', state),
          },
        };
    }
  }

  /** @param moved entity of the part: an existing one may be moved to another owner */
  #policy(state: State, moved?: string): Record<string, unknown> {
    const random = this.#random;
    const id = moved !== undefined && random.chance(0.3) ? { id: this.#idOf(moved, state) } : {};
    const entity = random.one([...DATA, ...DATA, ...ENTITIES, '*']);
    const type = random.one(['entity', 'entity', 'entityAttribute', 'specific']);
    const effect = type !== 'entityAttribute' && random.chance(0.2) ? 'step-up' : 'allow';
    if (type === 'entity') return { ...id, type, resource: entity, action: random.one([...ACTIONS, 'all']), effect };
    if (type === 'specific')
      return { ...id, type, resource: random.one([...SPECIFICS, '*']), action: 'access', effect };
    return { ...id, type, resource: `${entity}.*`, action: random.one(['view', 'modify']), effect };
  }

  #rule(state: State, moved?: string): Record<string, unknown> {
    const random = this.#random;
    return {
      ...(moved !== undefined && random.chance(0.3) && { id: this.#idOf(moved, state) }),
      type: 'query',
      entityName: random.one(DATA),
      action: random.one(['read', 'read', 'read,update', 'delete']),
      whereClause: random.one(['1 = 1', '1 = 0', '{E}.createdBy = :current_user_country']),
    };
  }

  #idOf(entity: string, { ids }: State): string {
    const known = ids[entity] ?? [];
    return known.length === 0 || this.#random.chance(0.05) ? ANY_ID : this.#random.one(known);
  }

  #name({ users }: State): string {
    const names = users.map(({ username }) => username);
    return this.#random.one([...names, ...names, 'cora', GHOST, 'anonymous']);
  }

  #code({ roles }: State): string {
    const small = ['reads-t_Document', 'reads-t_Note', 'rest-minimal'];
    return this.#random.one([...CODES, ...small, ...small, ...roles.resourceRoles.map(({ code }) => code)]);
  }

  #rowCodes = ({ roles }: State): readonly string[] => [...ROW_CODES, ...roles.rowLevelRoles.map(({ code }) => code)];

  /** An example of the documents, about a user that exists. */
  #named(example: unknown, state: State): unknown {
    if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
    return Object.fromEntries(
      Object.entries(example).map(([name, value]) => [
        name,
        /^(?:user|username|owner)$/.test(name) && typeof value === 'string' ? this.#name(state) : value,
      ]),
    );
  }
}
