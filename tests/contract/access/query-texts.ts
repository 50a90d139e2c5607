import { as, unique } from '../api.ts';

export interface SentRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A condition on customers, as a text of the query language. */
interface Condition {
  readonly where?: string;
  readonly join?: string;
  readonly script?: string;
}

/** Each names something that the author of the texts may not read, about values that change during the test. */
const HIDDEN: readonly Condition[] = [
  { where: '{E}.creditLimit >= 1.5' },
  { where: "{E}.category.code like 'a%'" },
  { where: 'exists (select c from sales_Customer c where c.id = {E}.id and c.creditLimit >= 1.5)' },
  { where: '(select max(o.amount) from sales_Order o where o.customer.id = {E}.id) > 1.5' },
  { where: "{E}.id in (select o.customer.id from sales_Order o where o.notes = 'm')" },
  { where: "exists (select u from sec_User u where u.email like 'b%')" },
  { where: 'o.amount > 1.5', join: 'join {E}.orders o' },
  { where: "not ({E}.name = 'none' or {E}.phone = '2')" },
  { where: ":current_user_email like 'b%'" },
  { script: '{E}.creditLimit > 1.5' },
  { script: "{E}.grade = 'GOLD'" },
];
const SHOWN: readonly Condition[] = [
  { where: "{E}.name <> 'none' and {E}.category.name like 'C%'" },
  { where: "o.number <> 'none'", join: 'join {E}.orders o' },
  { script: "{E}.address.country = 'DE'" },
];

const policyOf = ({ where, join, script }: Condition) => ({
  ...{ type: script === undefined ? 'query' : 'predicate', entityName: 'sales_Customer', action: 'read' },
  ...{ whereClause: where ?? null, joinClause: join ?? null, script: script ?? null },
});

const filterOf = (attribute: string, value: string): string =>
  JSON.stringify({ conditions: [{ property: attribute, operator: '=', value }] });

/** The query of a data set about one customer. */
const queryOf = (customer: string, { where = '1 = 1', join = '' }: Condition): string =>
  `select c.name as name from sales_Customer c ${join} where c.id = '${customer}' and (${where})`.replaceAll(
    '{E}',
    'c',
  );

/** Questions of a data set about one customer. */
const questionsOf = (groups: readonly (readonly [group: string, aggregate: object])[], customer: string) =>
  groups.map(([group, n]) => {
    const filter = { conditions: [{ property: 'id', operator: '=', value: customer }] };
    const question = { groupBy: [{ attribute: group, as: 'name' }], aggregates: { n }, filter };
    return { kind: 'aggregates', name: 'names', entity: 'sales_Customer', question };
  });

const queriesOf = (conditions: readonly Condition[], customer: string) =>
  conditions.map((condition) => ({ kind: 'query', name: 'names', query: queryOf(customer, condition) }));

/** A stored report for each data set. */
async function createReports(dataSets: readonly object[]): Promise<readonly string[]> {
  const headers = { 'content-type': 'text/csv' };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is an alias of a report template
  const file = await as('admin', 'POST', '/files?name=names.csv', { body: 'Name\n${name}\n', headers });
  const template = { code: 'DEFAULT', reportOutputType: 'CSV', isDefault: true, name: 'names.csv' };
  return Promise.all(
    dataSets.map(async (dataSet) => {
      const code = unique('text');
      const definition = JSON.stringify({ bands: [{ name: 'Names', dataSets: [dataSet] }] });
      const templates = [{ ...template, content: file.json().fileRef }];
      const body = { name: code, code, restAccess: true, definition, templates };
      const created = await as('admin', 'POST', '/entities/report_Report', { body });
      if (created.status !== 201) throw new Error(created.text);
      return String(created.json().id);
    }),
  );
}

/** Texts for one inlet: those that name something hidden, and those that do not. */
export interface InletTexts {
  readonly hidden: readonly SentRequest[];
  readonly shown: readonly SentRequest[];
}

/** Texts for each inlet of docs/security.md#texts-of-the-query-language that executes or stores those of its caller. */
export async function createTexts(username: string, customer: string): Promise<Readonly<Record<string, InletTexts>>> {
  const both = (requestOf: (condition: Condition) => SentRequest): InletTexts => ({
    hidden: HIDDEN.map(requestOf),
    shown: SHOWN.map(requestOf),
  });
  const own = policyOf({ where: `{E}.id = '${customer}'` });
  const asked = HIDDEN.filter(({ where }) => where !== undefined && !where.includes(':'));
  const readable = SHOWN.filter(({ where }) => where !== undefined);
  const count = { count: '*' };
  const [queries, groups] = await Promise.all(
    [
      [queriesOf(asked, customer), queriesOf(readable, customer)],
      [
        questionsOf(
          [
            ['email', count],
            ['category.code', count],
            ['name', { sum: 'creditLimit' }],
          ],
          customer,
        ),
        questionsOf(
          [
            ['name', count],
            ['category.name', { countDistinct: 'address.city' }],
          ],
          customer,
        ),
      ],
    ].map(([hidden = [], shown = []]) => Promise.all([createReports(hidden), createReports(shown)])),
  );
  const reported = (path: (id: string) => string, [hidden, shown] = queries ?? [[], []]): InletTexts => {
    const requestOf = (id: string): SentRequest => ({ method: 'POST', path: path(id), body: {} });
    return { hidden: hidden.map(requestOf), shown: shown.map(requestOf) };
  };
  const patch = (expression: string): SentRequest => ({
    ...{ method: 'PATCH', headers: { prefer: 'max-affected=5', 'content-type': 'application/merge-patch+json' } },
    path: `/entities/sales_Customer?dryRun=true&filter=${encodeURIComponent(filterOf('id', customer))}`,
    body: { name: { expression } },
  });
  const webhook = (filter: string): SentRequest => ({
    ...{ method: 'POST', path: '/entities/sys_Webhook' },
    body: {
      ...{ name: 'Texts', url: 'https://hooks.example.com/texts', entityName: 'sales_Customer', filter, active: false },
      ...{ secret: `whsec_${Buffer.alloc(32, 'a secret of this test').toString('base64')}`, changes: 'updated' },
    },
  });
  return {
    'services/data/src/rights/preview-rows.ts': both((condition) => ({
      ...{ method: 'POST', path: '/rights/preview' },
      body: { username, entityName: 'sales_Customer', role: 'draft', policies: [own, policyOf(condition)] },
    })),
    'services/data/src/rights/check-row-policy.ts': both((condition) => ({
      ...{ method: 'POST', path: '/rights/conditions' },
      body: policyOf(condition),
    })),
    'libs/administration/src/listeners/role-listeners.ts': both((condition) => ({
      ...{ method: 'POST', path: '/entities/sec_RowLevelRole' },
      body: { name: 'Texts', code: unique('texts'), rowLevelPolicies: [policyOf(condition)] },
    })),
    'services/data/src/changes/assert-filter.ts': {
      hidden: [filterOf('creditLimit', '2.00'), filterOf('category.code', 'a'), filterOf('orders.amount', '2.00')].map(
        webhook,
      ),
      shown: [filterOf('name', 'a')].map(webhook),
    },
    'libs/entities/src/write/bulk/patch-expressions.ts': {
      hidden: ['{E}.email', '{E}.category.code', 'concat({E}.name, {E}.phone)'].map(patch),
      shown: ["concat({E}.name, '!')", '{E}.category.name'].map(patch),
    },
    'services/data/src/datasets/read-aggregate-dataset.ts': reported((id) => `/reports/run/${id}`, groups),
    'services/data/src/datasets/read-query-dataset.ts': reported((id) => `/reports/run/${id}`),
    'libs/documents/src/bands/data-sets/read-text.ts': reported((id) => `/reports/report/${id}/data`),
  };
}

/** Rights to send texts to these inlets. */
export const RIGHTS_OF_AUTHORS = [
  ...['rights.preview', 'rights.view', 'personal.read'].map((resource) => ({
    type: 'specific',
    resource,
    action: 'access',
  })),
  ...['sec_RowLevelRole', 'sec_RowLevelPolicy', 'sys_Webhook'].flatMap((entity) => [
    { type: 'entity', resource: entity, action: 'create' },
    { type: 'entityAttribute', resource: `${entity}.*`, action: 'modify' },
  ]),
  ...['read', 'update'].map((action) => ({ type: 'entity', resource: 'report_Report', action })),
  { type: 'entityAttribute', resource: 'report_Report.*', action: 'view' },
];
