import { ACTIONS, application, ENTITIES, SPECIFICS } from './application.ts';
import type { State } from './state.ts';

/** What somebody may do, as a set of single rights, and the rules that hide rows. */
export interface Rights {
  /** `entity t_Document delete`, `view t_Document.title`, `specific x` */
  readonly atoms: ReadonlySet<string>;
  /** `t_Document read <condition>`, with the values of the user in the condition. */
  readonly rules: ReadonlySet<string>;
}

interface Policy {
  readonly type: string;
  readonly resource: string;
  readonly action: string;
}

interface Role {
  readonly scopes: readonly string[];
  readonly childRoles: readonly string[];
  readonly policies: readonly Policy[];
}

const ATTRIBUTES = new Map(
  ENTITIES.map((entity) => [entity, [...(application.model.entities.get(entity)?.attributes.keys() ?? [])]]),
);

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
      policies: policies.flatMap((policy): Policy[] =>
        policy.kind === 'entity'
          ? policy.actions.map((action) => ({ type: 'entity', resource: policy.entity, action }))
          : policy.kind === 'attribute'
            ? [
                {
                  type: 'entityAttribute',
                  resource: `${policy.entity}.${policy.attribute}`,
                  action: policy.action,
                },
              ]
            : [{ type: 'specific', resource: policy.name, action: 'access' }],
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
    const every = ['entity', 'entityAttribute', 'specific'].map((type) => ({ type, resource: '*', action: 'all' }));
    const role = roles.get(code) ?? { childRoles: [], policies: code === 'system-full-access' ? every : [] };
    for (const policy of role.policies) for (const atom of expanded(policy)) atoms.add(atom);
    for (const child of role.childRoles) visit(child);
  };
  for (const code of codes) visit(code);
  return atoms;
}

function expanded({ type, resource, action }: Policy): readonly string[] {
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

/** Rights, and rows, that somebody has beyond a ceiling. */
export function beyond({ atoms, rules }: Rights, ceiling: Rights): readonly string[] {
  const more = [...atoms].filter((atom) => !ceiling.atoms.has(atom));
  const shown = [...ceiling.rules].filter((rule) => {
    const [entity, action] = rule.split(' ', 2);
    return atoms.has(`entity ${entity} ${action}`) && !rules.has(rule);
  });
  return [...more, ...shown.map((rule) => `without the rule ${rule}`)];
}
