import { ACR_TWO_FACTORS } from '@lintel/contracts';
import { nearestName, suggestion } from '@lintel/errors';
import type { Entity, Model } from '@lintel/metadata';
import { conditionPredicate, parsePolicyCondition } from '@lintel/query';
import { assertServerParameters, parseCheckedCondition } from './checked-condition.ts';
import type {
  EntityAction,
  LoginCondition,
  ResourcePolicy,
  ResourceRole,
  RoleScope,
  RowLevelRole,
  RowPolicy,
} from './role.ts';

/** One policy as the entity `sec_ResourcePolicy` keeps it. */
export interface StoredResourcePolicy {
  readonly type: string;
  readonly resource: string;
  readonly action: string;
  readonly effect: string;
}

/** One policy as the entity `sec_RowLevelPolicy` keeps it. */
export interface StoredRowPolicy {
  readonly type: string;
  readonly entityName: string;
  /** The actions to which it applies, separated by commas. */
  readonly action: string | null;
  readonly whereClause: string | null;
  readonly joinClause: string | null;
  readonly script: string | null;
}

/** All rows of the view `sec.role_snapshot`. */
export interface StoredRoles {
  readonly resourceRoles: readonly {
    readonly code: string;
    readonly name: string;
    readonly description: string | null;
    readonly scopes: readonly string[];
    readonly childRoles: readonly string[];
    readonly policies: readonly StoredResourcePolicy[];
  }[];
  readonly rowLevelRoles: readonly {
    readonly code: string;
    readonly name: string;
    readonly policies: readonly StoredRowPolicy[];
  }[];
}

/** A stored policy that cannot be used; `attribute` is the one of its entity that is wrong. */
export class PolicyError extends Error {
  readonly attribute: string;
  /** The rule that it breaks: `lintel.validation.<rule>.message` is its text in all languages, with `parameters`. */
  readonly rule: string;
  readonly parameters: Readonly<Record<string, string>>;

  constructor(
    attribute: string,
    rule: string,
    message: string,
    options: ErrorOptions & { readonly parameters?: Readonly<Record<string, string>> } = {},
  ) {
    super(message, options);
    this.name = 'PolicyError';
    this.attribute = attribute;
    this.rule = rule;
    this.parameters = options.parameters ?? {};
  }
}

const ALL_ACTIONS: readonly EntityAction[] = ['create', 'read', 'update', 'delete'];
const isAction = (text: string): text is EntityAction => (ALL_ACTIONS as readonly string[]).includes(text);

/**
 * Reads one policy of a resource role (contract/roles.md#definition).
 *
 * @throws PolicyError
 */
export function readResourcePolicy(model: Model, policy: StoredResourcePolicy): ResourcePolicy {
  const login = loginOf(policy);
  switch (policy.type) {
    case 'entity': {
      if (policy.resource !== '*') knownEntity(model, policy.resource, 'resource');
      if (policy.action === 'all') return { kind: 'entity', entity: policy.resource, actions: ALL_ACTIONS, ...login };
      if (!isAction(policy.action))
        throw new PolicyError(
          'action',
          'PolicyEntityAction',
          'The action on an entity is create, read, update, delete or all',
        );
      return { kind: 'entity', entity: policy.resource, actions: [policy.action], ...login };
    }
    case 'entityAttribute': {
      const [entity, attribute] = attributeOf(model, policy.resource);
      if (policy.action !== 'view' && policy.action !== 'modify')
        throw new PolicyError('action', 'PolicyAttributeAction', 'The action on an attribute is view or modify');
      return { kind: 'attribute', entity, attribute, action: policy.action };
    }
    case 'specific':
      if (policy.action !== 'access')
        throw new PolicyError('action', 'PolicySpecificAction', 'The action of a specific policy is access');
      return { kind: 'specific', name: policy.resource, ...login };
    default:
      throw new PolicyError('type', 'PolicyType', 'The type of a policy is entity, entityAttribute or specific');
  }
}

/** `step-up` allows as `allow` does, after a login with two factors. */
function loginOf({ type, effect }: StoredResourcePolicy): LoginCondition {
  if (effect === 'allow') return {};
  if (effect === 'step-up' && type !== 'entityAttribute') return { acr: ACR_TWO_FACTORS };
  throw new PolicyError('effect', 'PolicyEffect', 'The effect of a policy is allow, or step-up except for attributes');
}

/** `sales_Order.number`, `sales_Order.*` or `*.*`; no name of an entity has a dot. */
function attributeOf(model: Model, resource: string): readonly [string, string] {
  const [entity = '', attribute, ...more] = resource.split('.');
  if (attribute === undefined || more.length > 0 || (entity === '*' && attribute !== '*'))
    throw new PolicyError(
      'resource',
      'PolicyAttribute',
      'An attribute is named <entity>.<attribute>, <entity>.* or *.*',
    );
  if (entity === '*') return ['*', '*'];
  const known = knownEntity(model, entity, 'resource');
  if (attribute !== '*' && !known.attributes.has(attribute))
    throw new PolicyError(
      'resource',
      'AttributeUnknown',
      `${entity} has no attribute ${attribute}${suggestion(attribute, known.attributes.keys())}`,
      { parameters: { entity, attribute, proposal: proposalOf(attribute, known.attributes.keys()) } },
    );
  return [entity, attribute];
}

/** ` (x?)` with the nearest known name, for texts of all languages. */
function proposalOf(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : ` (${nearest}?)`;
}

function knownEntity(model: Model, name: string, attribute: string): Entity {
  const entity = model.entities.get(name);
  if (entity === undefined)
    throw new PolicyError(
      attribute,
      'EntityUnknown',
      `There is no entity ${name}${suggestion(name, model.entities.keys())}`,
      { parameters: { entity: name, proposal: proposalOf(name, model.entities.keys()) } },
    );
  return entity;
}

/**
 * Reads one policy of a row-level role (contract/row-policies.md#policies, contract/decisions.md#59).
 *
 * @throws PolicyError
 */
export function readRowPolicy(model: Model, policy: StoredRowPolicy): RowPolicy {
  const entity = knownEntity(model, policy.entityName, 'entityName');
  if (entity.kind !== 'entity')
    throw new PolicyError('entityName', 'EntityNotStored', `Instances of ${entity.name} are not stored`, {
      parameters: { entity: entity.name },
    });
  const join = policy.joinClause?.trim() ?? '';
  switch (policy.type) {
    case 'query': {
      const where = required(policy.whereClause, 'whereClause');
      if (join !== '') refusing('joinClause', () => parseCheckedCondition(model, entity, '1 = 1', join));
      refusing('whereClause', () => parseCheckedCondition(model, entity, where, join));
      const actions = actionsOf(policy.action);
      const isReading = actions.every((action) => action === 'read');
      return {
        kind: 'query',
        entity: entity.name,
        where,
        ...(join === '' ? {} : { join }),
        ...(isReading ? {} : { actions }),
      };
    }
    case 'predicate': {
      const script = required(policy.script, 'script');
      const { dependsOn, test } = refusing('script', () => {
        const condition = parsePolicyCondition(script);
        assertServerParameters(model, entity, condition);
        return conditionPredicate(model, entity, condition);
      });
      return { kind: 'predicate', entity: entity.name, actions: actionsOf(policy.action), dependsOn, test };
    }
    default:
      throw new PolicyError('type', 'RowPolicyType', 'The type of a row-level policy is query or predicate');
  }
}

function required(text: string | null | undefined, attribute: string): string {
  if (text === null || text === undefined || text.trim() === '')
    throw new PolicyError(attribute, 'PolicyCondition', 'A policy needs a condition');
  return text;
}

function refusing<T>(attribute: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const details = cause !== null && typeof cause === 'object' && 'details' in cause ? String(cause.details) : '';
    const text = details || (cause instanceof Error ? cause.message : String(cause));
    throw new PolicyError(attribute, 'InvalidCondition', text, { cause, parameters: { details: text } });
  }
}

function actionsOf(text: string | null | undefined): readonly EntityAction[] {
  const names = (text ?? '').split(',').map((name) => name.trim());
  const actions = names.filter(isAction);
  if (actions.length < names.length || actions.length === 0)
    throw new PolicyError(
      'action',
      'RowPolicyActions',
      'The actions of a row-level policy are create, read, update and delete, separated by commas',
    );
  return [...new Set(actions)];
}

/** A message about a stored role that cannot be read completely. */
export type RoleProblem = string;

/** The resource roles of the database. A policy that cannot be read grants nothing. */
export function readResourceRoles(
  model: Model,
  stored: StoredRoles['resourceRoles'],
): { readonly roles: readonly ResourceRole[]; readonly problems: readonly RoleProblem[] } {
  const problems: RoleProblem[] = [];
  const roles = stored.map((role): ResourceRole => {
    const policies = role.policies.flatMap((policy) => {
      try {
        return [readResourcePolicy(model, policy)];
      } catch (error) {
        problems.push(problemOf('Role', role.code, error));
        return [];
      }
    });
    const scopes = role.scopes.filter((scope): scope is RoleScope => scope === 'API' || scope === 'UI');
    const { code, name, description, childRoles } = role;
    return Object.freeze({
      code,
      name,
      ...(description === null ? {} : { description }),
      scopes,
      childRoles,
      policies,
    });
  });
  return { roles, problems };
}

/**
 * The row-level roles of the database. A policy that cannot be read hides every row of its entity. If the
 * entity does not exist, it may have been renamed: the rows that the policy was written for are unknown. Then the
 * whole role cannot be used, and an unknown role hides everything.
 */
export function readRowLevelRoles(
  model: Model,
  stored: StoredRoles['rowLevelRoles'],
): {
  readonly roles: readonly RowLevelRole[];
  /** Codes of roles that cannot be used. */
  readonly unusable: ReadonlySet<string>;
  readonly problems: readonly RoleProblem[];
} {
  const problems: RoleProblem[] = [];
  const unusable = new Set<string>();
  const roles = stored.map((role): RowLevelRole => {
    const policies = role.policies.map((policy): RowPolicy => {
      try {
        return readRowPolicy(model, policy);
      } catch (error) {
        problems.push(problemOf('Row-level role', role.code, error));
        if (model.entities.get(policy.entityName)?.kind !== 'entity') unusable.add(role.code);
        return hidingAll(policy.entityName);
      }
    });
    return Object.freeze({ code: role.code, name: role.name, policies });
  });
  for (const code of unusable)
    problems.push(`Row-level role ${code} hides everything from its users until its policies fit the entities`);
  return { roles: roles.filter(({ code }) => !unusable.has(code)), unusable, problems };
}

const problemOf = (kind: string, code: string, error: unknown): RoleProblem => {
  if (!(error instanceof PolicyError)) throw error;
  return `${kind} ${code}: ${error.attribute}: ${error.message}`;
};

/** Replaces a policy that cannot be read: the policy was written to hide something. */
const hidingAll = (entity: string): RowPolicy => ({
  kind: 'predicate',
  entity,
  actions: ALL_ACTIONS,
  dependsOn: [],
  test: () => false,
});
