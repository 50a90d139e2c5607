import { ACTIONS, application, ENTITIES, SPECIFICS } from './application.ts';
import type { State, StoredPolicy } from './state.ts';

/** What somebody may do, as a set of single rights, and the rules that hide rows. */
export interface Rights {
  /** `entity t_Document delete`, `view t_Document.title`, `specific x`; with ` 2fa` those of strong logins alone */
  readonly atoms: ReadonlySet<string>;
  /** `t_Document read <condition>`, with the values of the user in the condition. */
  readonly rules: ReadonlySet<string>;
}

interface Role {
  readonly scopes: readonly string[];
  readonly childRoles: readonly string[];
  readonly policies: readonly StoredPolicy[];
}

const ATTRIBUTES = new Map(
  ENTITIES.map((entity) => [entity, [...(application.model.entities.get(entity)?.attributes.keys() ?? [])]]),
);

const STRONG = ' 2fa';
const effectOf = (policy: object): string => ('acr' in policy ? 'step-up' : 'allow');

/** The roles of code in the form of stored ones. */
const OF_CODE: ReadonlyMap<string, Role> = new Map(
  [
    ...application.resourceRoles.values(),
    {
      code: 'rest-minimal',
      scopes: ['API'],
      childRoles: [],
      policies: [{ kind: 'specific' as const, name: 'rest.enabled' }],
    },
  ].map(({ code, scopes, childRoles, policies }) => [
    code,
    {
      scopes: [...scopes],
      childRoles: [...childRoles],
      policies: policies.flatMap((policy): StoredPolicy[] =>
        policy.kind === 'entity'
          ? policy.actions.map((action) => ({
              type: 'entity',
              resource: policy.entity,
              action,
              effect: effectOf(policy),
            }))
          : policy.kind === 'attribute'
            ? [
                {
                  type: 'entityAttribute',
                  resource: `${policy.entity}.${policy.attribute}`,
                  action: policy.action,
                  effect: 'allow',
                },
              ]
            : [{ type: 'specific', resource: policy.name, action: 'access', effect: effectOf(policy) }],
      ),
    },
  ]),
);

const rolesOf = (state: State): ReadonlyMap<string, Role> =>
  new Map([...OF_CODE, ...state.roles.resourceRoles.map((role) => [role.code, role] as const)]);

/** The rights of the holder of roles. Child roles count whatever their scopes are (contract/roles.md#combination). */
export function rightsOf(
  codes: readonly string[],
  rowCodes: readonly string[],
  state: State,
  values: Readonly<Record<string, unknown>> = {},
): Rights {
  const roles = rolesOf(state);
  const top = codes.filter((code) => code === 'system-full-access' || roles.get(code)?.scopes.includes('API') === true);
  const rules = [...rulesOf(rowCodes, state)].map((rule) =>
    rule.replaceAll(/:current_user_(\w+)/g, (_text, name: string) => JSON.stringify(values[name] ?? null)),
  );
  return { atoms: atomsOf(top, roles), rules: new Set(rules) };
}

/** The rights that roles contain, whatever their scopes are. */
export const contentOf = (codes: readonly string[], state: State): ReadonlySet<string> =>
  atomsOf(codes, rolesOf(state));

function atomsOf(codes: readonly string[], roles: ReadonlyMap<string, Role>): ReadonlySet<string> {
  const atoms = new Set<string>();
  const seen = new Set<string>();
  const visit = (code: string): void => {
    if (seen.has(code)) return;
    seen.add(code);
    const every = ['entity', 'entityAttribute', 'specific'].map((type) => ({
      type,
      resource: '*',
      action: 'all',
      effect: 'allow',
    }));
    const role = roles.get(code) ?? { childRoles: [], policies: code === 'system-full-access' ? every : [] };
    for (const policy of role.policies)
      for (const atom of expanded(policy)) atoms.add(policy.effect === 'step-up' ? `${atom}${STRONG}` : atom);
    for (const child of role.childRoles) visit(child);
  };
  for (const code of codes) visit(code);
  return atoms;
}

function expanded({ type, resource, action }: StoredPolicy): readonly string[] {
  if (type === 'specific') return (resource === '*' ? SPECIFICS : [resource]).map((name) => `specific ${name}`);
  const [entity = '', attribute = '*'] = resource.split('.');
  const entities = entity === '*' ? ENTITIES : [entity];
  if (type === 'entity')
    return entities.flatMap((name) => (action === 'all' ? ACTIONS : [action]).map((each) => `entity ${name} ${each}`));
  const kinds = action === 'view' ? ['view'] : ['view', 'modify'];
  return entities.flatMap((name) =>
    (attribute === '*' ? (ATTRIBUTES.get(name) ?? []) : [attribute]).flatMap((each) =>
      kinds.map((kind) => `${kind} ${name}.${each}`),
    ),
  );
}

function rulesOf(codes: readonly string[], { roles }: State): ReadonlySet<string> {
  const ofCode = [...application.rowRoles.values()]
    .filter(({ code }) => codes.includes(code))
    .flatMap(({ policies }) => policies)
    .flatMap((policy) =>
      (policy.actions ?? ['read']).map((action) => `${policy.entity} ${action} ${JSON.stringify(policy)}`),
    );
  const stored = roles.rowLevelRoles
    .filter(({ code }) => codes.includes(code))
    .flatMap(({ policies }) => policies)
    .flatMap((policy) =>
      policy.action.split(',').map((action) => `${policy.entityName} ${action.trim()} ${JSON.stringify(policy)}`),
    );
  return new Set([...ofCode, ...stored]);
}

/** Those of some rights that a ceiling does not have: one for any login includes the one for strong logins. */
export const missingIn = ({ atoms }: Rights, of: Iterable<string>): readonly string[] =>
  [...of].filter((atom) => !atoms.has(atom) && !atoms.has(atom.replace(STRONG, '')));

/** Rights, and rows, that somebody has beyond a ceiling. */
export function beyond({ atoms, rules }: Rights, ceiling: Rights): readonly string[] {
  const more = missingIn(ceiling, atoms);
  const shown = [...ceiling.rules].filter((rule) => {
    const [entity, action] = rule.split(' ', 2);
    return atoms.has(`entity ${entity} ${action}`) && !rules.has(rule);
  });
  return [...more, ...shown.map((rule) => `without the rule ${rule}`)];
}
