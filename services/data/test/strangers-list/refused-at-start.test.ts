import {
  type ApplicationDefinition,
  assertDataParts,
  defineApplication,
  loadQueries,
  loadResources,
  predefinedQuery,
} from '@lintel/application';
import { loadSettings, processSources, type SettingSources } from '@lintel/config';
import { enumeration, integer, standardEntity, string, toOne } from '@lintel/metadata';
import {
  entityPolicy,
  modifyAttributes,
  predicatePolicy,
  queryPolicy,
  resourceRole,
  rowLevelRole,
  viewAttributes,
} from '@lintel/security';
import { settings } from '../../src/index.ts';
import { GARAGE } from './garage.ts';

type Change = Partial<Omit<ApplicationDefinition, 'id' | 'name'>>;

const role = (...policies: Parameters<typeof resourceRole>[1]['policies']): Change => ({
  roles: [resourceRole('clerk', { name: 'Clerk', policies })],
});
const rows = (...policies: Parameters<typeof rowLevelRole>[1]['policies']): Change => ({
  rowLevelRoles: [rowLevelRole('own', { name: 'Own', policies })],
});
const entity = (name: string, options: Parameters<typeof standardEntity>[1]): Change => ({
  entities: [standardEntity(name, options)],
});
const seed = (name: string, values: Readonly<Record<string, unknown>>): Change => ({
  demoData: { instances: [{ entity: name, values }] },
});
const query = (name: string, text: string): Change => ({
  queries: [predefinedQuery('garage_Car', name, { text, fetchPlan: '_base' })],
});

/** The stranger's list, as far as it is refused at the start: what is wrong, and what the error says. */
const REFUSED: readonly (readonly [item: string, change: Change, says: readonly string[]])[] = [
  [
    'an unknown attribute in a role',
    role(viewAttributes('garage_Car', 'vni')),
    ["Role clerk, viewAttributes('garage_Car', 'vni'): garage_Car has no attribute vni; did you mean vin?"],
  ],
  [
    'an unknown entity in a role',
    role(entityPolicy('garage_Cra', 'read'), modifyAttributes('garage_Onwer', '*')),
    [
      'Role clerk, policy on garage_Cra: there is no entity garage_Cra; did you mean garage_Car?',
      "Role clerk, modifyAttributes('garage_Onwer', '*'): there is no entity garage_Onwer; did you mean garage_Owner?",
    ],
  ],
  [
    'an attribute of all entities',
    role(viewAttributes('*', 'vin')),
    ["Role clerk, viewAttributes('*', 'vin'): an attribute of all entities cannot be granted; name the entity, or *"],
  ],
  [
    'an unknown role in a role',
    { roles: [resourceRole('clerk', { name: 'Clerk', childRoles: ['rest-minmal'], policies: [] })] },
    ['Role clerk includes the unknown role rest-minmal; did you mean rest-minimal?'],
  ],
  [
    'two roles with one code',
    {
      roles: [resourceRole('twin', { name: 'A', policies: [] }), resourceRole('twin', { name: 'B', policies: [] })],
      rowLevelRoles: [
        rowLevelRole('pair', { name: 'A', policies: [] }),
        rowLevelRole('pair', { name: 'B', policies: [] }),
      ],
    },
    [
      'Two resource roles have the code twin, compared without case',
      'Two row-level roles have the code pair, compared without case',
    ],
  ],
  [
    'roles whose codes differ by case only, or end with a blank',
    {
      roles: [resourceRole('Rest-Minimal', { name: 'A', policies: [] })],
      rowLevelRoles: [
        rowLevelRole('pair', { name: 'A', policies: [] }),
        rowLevelRole('PAIR', { name: 'B', policies: [] }),
        rowLevelRole('own ', { name: 'C', policies: [] }),
      ],
    },
    [
      'Two resource roles have the code Rest-Minimal, compared without case',
      'Two row-level roles have the code PAIR, compared without case',
      "The code 'own ' of a row-level role has blanks at its ends",
    ],
  ],
  [
    'an unknown entity in a row-level policy',
    rows(queryPolicy('garage_Ownr', '{E}.name is not null')),
    ['Row-level role own, policy on garage_Ownr: there is no stored entity garage_Ownr; did you mean garage_Owner?'],
  ],
  [
    'an unknown attribute in a row-level policy',
    rows(
      queryPolicy('garage_Car', "{E}.brnad = 'Fiat'"),
      predicatePolicy('garage_Car', { actions: ['read'], dependsOn: ['owner.nmae'], test: () => true }),
    ),
    [
      'Row-level role own, policy on garage_Car: garage_Car has no attribute brnad; did you mean brand?',
      'Row-level role own, policy on garage_Car: garage_Owner has no attribute nmae; did you mean name? (owner.nmae)',
    ],
  ],
  [
    'an unknown parameter in a row-level policy',
    rows(queryPolicy('garage_Car', '{E}.brand = :current_user_contry')),
    [
      'Row-level role own, policy on garage_Car: there is no parameter :current_user_contry; did you mean :current_user_country?',
    ],
  ],
  [
    'an unknown attribute in a query',
    query('cheap', 'select c from garage_Car c where c.pirce < 10'),
    ['query cheap of garage_Car, line 1, column', 'garage_Car has no attribute pirce; did you mean price?'],
  ],
  [
    'an unknown parameter in a query',
    query('mine', 'select c from garage_Car c where c.brand = :current_user_nmae'),
    ['query mine of garage_Car: there is no parameter :current_user_nmae'],
  ],
  [
    'an unknown entity of a query',
    { queries: [predefinedQuery('garage_Crar', 'all-of', { text: 'select c from garage_Car c' })] },
    ['query all-of of garage_Crar: there is no stored entity garage_Crar; did you mean garage_Car?'],
  ],
  [
    'two queries with one name',
    {
      queries: ['a', 'b'].map((brand) =>
        predefinedQuery('garage_Car', 'twice', {
          text: `select c from garage_Car c where c.brand = '${brand}'`,
          fetchPlan: '_base',
        }),
      ),
    },
    ['query twice of garage_Car: the query is defined twice'],
  ],
  [
    'two entities with one name',
    { entities: [...[1, 2].map(() => standardEntity('garage_Twin', { attributes: { name: string(10) } }))] },
    ['Two entities have the name garage_Twin'],
  ],
  [
    'two enums with one name',
    { enums: [enumeration('garage.Fuel', { GAS: 'G' })] },
    ['Two enums have the name garage.Fuel'],
  ],
  [
    'an unknown entity in a reference',
    entity('garage_Wheel', { attributes: { car: toOne('garage_Carr') } }),
    ['garage_Wheel.car refers to the unknown entity garage_Carr; did you mean garage_Car?'],
  ],
  [
    'an unknown attribute in an index and in an instance name',
    entity('garage_Tyre', {
      attributes: { size: integer() },
      instanceName: ['szie'],
      indexes: [{ attributes: ['sizee'], unique: false }],
    }),
    [
      'The instance name of garage_Tyre uses the unknown attribute szie; did you mean size?',
      'An index of garage_Tyre uses the unknown attribute sizee; did you mean size?',
    ],
  ],
  [
    'an unknown entity of a listener',
    { listeners: [{ entity: 'garage_Carr' }] },
    ['listeners[1] is of the unknown entity garage_Carr; did you mean garage_Car?'],
  ],
  [
    'an unknown entity and an unknown attribute in the demo data',
    {
      demoData: {
        instances: [
          { entity: 'garage_Carr', values: {} },
          { entity: 'garage_Car', values: { vni: '1' } },
        ],
      },
    },
    [
      'demoData.instances[0], garage_Carr: there is no entity garage_Carr; did you mean garage_Car?',
      'demoData.instances[1], garage_Car: vni: garage_Car has no attribute vni; did you mean vin?',
    ],
  ],
  [
    'values of a wrong type in the demo data',
    seed('garage_Car', {
      id: 'no-uuid',
      vin: 7,
      price: 'dear',
      doors: 2.5,
      bought: '31.12.2026',
      fuel: 'WATER',
      owner: 'Ada',
      repairs: [{ hours: 'many' }],
    }),
    [
      'garage_Car no-uuid: id: expected uuid, found "no-uuid"',
      'vin: expected string, found 7',
      'price: expected decimal, found "dear"',
      'doors: expected int, found 2.5',
      'bought: expected localDate, found "31.12.2026"',
      'fuel: expected garage.Fuel (PETROL, ELECTRIC), found "WATER"',
      'owner: expected { "id": … } of garage_Owner, found "Ada"',
      'repairs[0].hours: expected int, found "many"',
    ],
  ],
  [
    'unknown roles and users in the demo data',
    seed('sec_RoleAssignment', { username: 'ada', roleCode: 'mechnic', roleType: 'resource' }),
    [
      'The demo data assigns the unknown resource role mechnic to ada; did you mean mechanic?',
      'The demo data assigns the role mechnic to the unknown user ada',
    ],
  ],
  [
    'an unknown role in a setting',
    { properties: { 'svc.authserver.client.web.resource-roles': 'rest-minimal,mechnic' } },
    ['properties, svc.authserver.client.web.resource-roles: there is no role mechnic; did you mean mechanic?'],
  ],
  [
    'a locale that does not exist',
    { properties: { 'svc.core.available-locales': 'en,german,de_XQ' } },
    [
      'properties, svc.core.available-locales: there is no locale german; did you mean de?',
      'properties, svc.core.available-locales: there is no locale de_XQ: XQ is no country',
    ],
  ],
];

const POLICY = rows(queryPolicy('garage_Car', '{E}.vni = :current_user_username'));
const DEMO = [seed('garage_Car', { vni: '1' })];

const MERGED = ['entities', 'enums', 'roles', 'rowLevelRoles', 'listeners', 'queries'] as const;

/** The garage with the changes of several rows. */
function changed(changes: readonly Change[]): ApplicationDefinition {
  const lists = MERGED.map((part) => [
    part,
    [GARAGE, ...changes].flatMap((one: Change): readonly unknown[] => one[part] ?? []),
  ]);
  const instances = changes.flatMap(({ demoData }) => demoData?.instances ?? []);
  const properties = Object.assign({}, ...changes.map((change) => change.properties ?? {}));
  return {
    ...GARAGE,
    ...Object.fromEntries(lists),
    properties,
    ...(instances.length > 0 && { demoData: { instances } }),
  };
}

/** What a command of lintel refuses in the code of an application; the data service refuses it with the resource files. */
const load = (changes: readonly Change[]): void => assertDataParts(defineApplication(changed(changes)));

const messageOf = (action: () => unknown): string => {
  try {
    action();
    return 'nothing was refused';
  } catch (error) {
    return (error as Error).message;
  }
};

test('the garage itself is valid', () => {
  expect(() => load([])).not.toThrow();
});

// Asserts contract/roles.md#definition.
test.each(REFUSED)('%s', (_item, change, says) => {
  const message = messageOf(() => load([change]));
  for (const text of says) expect(message).toContain(text);
});

test('all of it is reported at once', () => {
  const message = messageOf(() => load(REFUSED.map(([, change]) => change)));
  const withoutPosition = (text: string): string => text.replace(/^demoData\.instances\[\d+\]/, '');
  const missing = REFUSED.flatMap(([, , says]) => says).filter((text) => !message.includes(withoutPosition(text)));
  expect(missing).toEqual([]);
});

test('what is wrong in all resource files is reported at once', async () => {
  const files: Readonly<Record<string, string>> = {
    'plans.xml': `<fetchPlans>
      <fetchPlan entity="garage_Car" name="short"><property name="vni"/><property name="brnad"/></fetchPlan>
      <fetchPlan entity="garage_Carr" name="other"/>
    </fetchPlans>`,
    'queries.xml': `<queries>
      <query name="a" entity="garage_Car" fetchPlan="_base"><jpql>select c from garage_Car c where c.pirce = 1</jpql></query>
      <query name="b" entity="garage_Carr" fetchPlan="_base"><jpql>select c from garage_Car c</jpql></query>
    </queries>`,
    'messages.properties': 'garage/Car.vni=VIN\ngarage/Car.brand=Brand\ngarage/hint=Ask the mechanic',
  };
  const names = {
    fetchPlansConfig: ['plans.xml'],
    queriesConfig: ['queries.xml'],
    servicesConfig: [],
    availableLocales: ['en'],
    jsonTransformationConfig: [],
    readOnly: false,
    demoEnabled: true,
  };
  const reader = {
    readResource: async (_: unknown, name: string) => files[name] ?? '',
    findResource: async (_: unknown, name: string) => files[name],
  };
  const loading = loadResources(
    defineApplication({ ...changed([POLICY, ...DEMO]), resources: new URL('file:///resources/') }),
    names,
    reader,
  );
  const { message } = (await loading.catch((error: unknown) => error)) as Error;
  for (const text of [
    'plans.xml, fetch plan short: names the unknown attribute garage_Car.vni; did you mean vin?',
    'plans.xml, fetch plan short: names the unknown attribute garage_Car.brnad; did you mean brand?',
    'plans.xml, fetch plan other: is of the unknown entity garage_Carr; did you mean garage_Car?',
    'garage_Car has no attribute pirce; did you mean price?',
    'messages.properties are not valid: garage/Car.vni names nothing; did you mean garage/Car.vin?',
    'query b of garage_Carr: there is no stored entity garage_Carr; did you mean garage_Car?',
    'Row-level role own, policy on garage_Car: garage_Car has no attribute vni; did you mean vin?',
    'demoData.instances[0], garage_Car: vni: garage_Car has no attribute vni; did you mean vin?',
  ])
    expect(message).toContain(text);
});

test('row-level policies, queries and demo data are read only by the services that use them', () => {
  const named = changed([POLICY, query('by-price', 'select c from garage_Car c where c.pirce = 1')]);
  let reads = 0;
  const application = defineApplication({
    ...named,
    demoData: {
      get instances() {
        reads += 1;
        return [{ entity: 'garage_Car', values: { vni: '1' } }];
      },
    },
  });
  expect(reads).toBe(0);
  expect(messageOf(() => assertDataParts(application))).toMatch(/vni[\s\S]*pirce[\s\S]*demoData/);
});

test('demo data is checked where it is used', async () => {
  const names = {
    fetchPlansConfig: [],
    queriesConfig: [],
    servicesConfig: [],
    availableLocales: ['en'],
    jsonTransformationConfig: [],
    readOnly: false,
  };
  const application = defineApplication(changed(DEMO));
  const reader = { readResource: async () => '', findResource: async () => undefined };
  await expect(loadResources(application, { ...names, demoEnabled: false }, reader)).resolves.toBeDefined();
  await expect(loadResources(application, { ...names, demoEnabled: true }, reader)).rejects.toThrow(
    'did you mean vin?',
  );
});

test('an unknown fetch plan of a query', async () => {
  const application = defineApplication(
    changed([
      {
        queries: [predefinedQuery('garage_Car', 'all-of', { text: 'select c from garage_Car c', fetchPlan: '_bsae' })],
      },
    ]),
  );
  await expect(loadQueries(application, [], async () => '')).rejects.toThrow(
    /there is no fetch plan _bsae of garage_Car.*did you mean _base\?/,
  );
});

test('a misspelt key in the properties of the application', () => {
  const sources: SettingSources = processSources({
    environment: {},
    applicationProperties: { 'svc.core.availble-locales': 'en', 'svc.nothing-like-it': 'x' },
  });
  const message = messageOf(() => loadSettings({ availableLocales: settings.availableLocales }, sources));
  expect(message).toContain(
    'svc.core.availble-locales: no such property; did you mean svc.core.available-locales? (application)',
  );
  expect(message).toContain('svc.nothing-like-it: no such property (application)');
});
