import { defineApplication } from '@lintel/application';
import { dto, embeddable, embedded, keyedEntity, standardEntity, string } from '@lintel/metadata';
import { type DataFixture, startData } from './data-fixture.ts';

const application = defineApplication({
  id: 't',
  name: 'Deals',
  entities: [
    standardEntity('t_Deal', { attributes: { title: string(100) } }),
    dto('t_Quote', { attributes: { title: string(100) } }),
    embeddable('t_RateKey', { attributes: { currency: string(3), day: string(10) } }),
    keyedEntity('t_Rate', { key: 'id', attributes: { id: embedded('t_RateKey') }, traits: {} }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  const users = { admin: { resourceRoles: ['system-full-access'] } };
  data = await startData(application, users, { 'svc.core.available-locales': 'en,de,zh_CN' });
  const user = await data.send('admin', 'POST', '/entities/sec_User', { username: 'admin', active: true });
  expect(user.status).toBe(201);
});
afterAll(() => data.close());

type Sent = readonly [entity: string, body: object];
const role = (policy: object): Sent => [
  'sec_ResourceRole',
  { name: 'R', code: 'r', scopes: ['API'], resourcePolicies: [{ effect: 'allow', ...policy }] },
];
const rows = (policy: object): Sent => [
  'sec_RowLevelRole',
  { name: 'R', code: 'r', rowLevelPolicies: [{ entityName: 't_Deal', type: 'query', action: 'read', ...policy }] },
];
const webhook = (values: object): Sent => [
  'sys_Webhook',
  {
    ...{ name: 'W', url: 'https://example.com/', entityName: 't_Deal', active: false, owner: 'admin' },
    ...{ secret: `whsec_${'A'.repeat(43)}=`, ...values },
  },
];
const report = (definition: string): Sent => ['report_Report', { name: 'R', code: 'r', definition }];
const user = (username: string): Sent => ['sec_User', { username, active: true }];
const coded = (code: string): Sent => ['sec_ResourceRole', { name: 'R', code, scopes: ['API'] }];
const category = (entityType: string): Sent => ['dynat_Category', { name: 'C', entityType }];
const reference = (entityClass: string): Sent => [
  'dynat_Category',
  {
    ...{ name: 'C', entityType: 't_Deal' },
    categoryAttrs: [{ code: 'a', name: 'A', dataType: 'ENTITY', entityClass }],
  },
];

const CASES: readonly (readonly [rule: string, sent: Sent, german: string])[] = [
  [
    'PolicyEffect',
    role({ type: 'entity', resource: 't_Deal', action: 'read', effect: 'deny' }),
    'Eine Richtlinie kann nur erlauben',
  ],
  ['PolicyType', role({ type: 'screen', resource: 'x', action: 'access' }), 'Der Typ einer Richtlinie ist entity'],
  ['PolicyEntityAction', role({ type: 'entity', resource: 't_Deal', action: 'look' }), 'Die Aktion einer Entität'],
  [
    'PolicyAttributeAction',
    role({ type: 'entityAttribute', resource: 't_Deal.*', action: 'read' }),
    'Die Aktion eines',
  ],
  ['PolicySpecificAction', role({ type: 'specific', resource: 'x', action: 'read' }), 'Die Aktion einer spezifischen'],
  ['PolicyAttribute', role({ type: 'entityAttribute', resource: '*.a', action: 'view' }), 'als <entity>.<attribute>'],
  [
    'AttributeUnknown',
    role({ type: 'entityAttribute', resource: 't_Deal.x', action: 'view' }),
    't_Deal hat kein Attribut x',
  ],
  ['EntityUnknown', role({ type: 'entity', resource: 'nix', action: 'read' }), 'Es gibt keine Entität nix'],
  ['EntityNotStored', rows({ entityName: 't_Quote', whereClause: '1 = 1' }), 'Instanzen von t_Quote werden nicht'],
  ['RowPolicyType', rows({ type: 'other' }), 'Der Typ einer Richtlinie auf Zeilenebene'],
  ['RowPolicyActions', rows({ action: 'look', whereClause: '1 = 1' }), 'auf Zeilenebene sind create'],
  ['PolicyCondition', rows({}), 'Eine Richtlinie braucht eine Bedingung'],
  ['InvalidCondition', rows({ whereClause: '{E}.nix = 1' }), 'Die Bedingung ist nicht gültig: '],
  ['ReportDefinitionJson', report('{'), 'Die Definition ist kein JSON'],
  ['ReportDefinitionDepth', report(`${'['.repeat(200)}${']'.repeat(200)}`), 'Die Definition ist zu tief'],
  ['ReportDefinition', report('{"bands":1}'), 'Die Definition ist nicht gültig: bands'],
  ['WebhooksDisabled', webhook({ active: true }), 'svc.webhooks.enabled ist nicht gesetzt'],
  ['WebhookUrl', webhook({ url: 'nix' }), 'muss eine absolute URL sein'],
  ['WebhookUrlScheme', webhook({ url: 'ftp://example.com/' }), 'muss mit https:// beginnen'],
  ['WebhookUrlUser', webhook({ url: 'https://a:b@example.com/' }), 'weder Benutzer noch Passwort'],
  ['WebhookUrlPort', webhook({ url: 'https://example.com:25/' }), 'Port eines anderen Protokolls'],
  ['WebhookUrlAddress', webhook({ url: 'https://10.0.0.7/' }), 'zu einer öffentlichen Adresse'],
  ['WebhookEntity', webhook({ entityName: 'nix' }), 'muss eine gespeicherte Entität nennen'],
  ['WebhookFilter', webhook({ filter: '[]' }), 'Der Filter ist nicht gültig: '],
  ['WebhookOwner', webhook({ owner: 'nix' }), 'muss der Name eines Benutzers sein'],
  ['WebhookSecret', webhook({ secret: 'password' }), 'muss aus whsec_ und 24 bis 64 Bytes'],
  ['StoredEntityUnknown', category('nix'), 'Es gibt keine gespeicherte Entität nix'],
  ['StoredEntityUnknown', reference('nix'), 'Es gibt keine gespeicherte Entität nix'],
  ['UserName', user('a\u200bdmin'), 'Ein Benutzername hat Buchstaben'],
  ['UserNameReserved', user('Provider:corp'), 'Das ist ein Name der Plattform'],
  ['RoleCodeBlanks', coded(' clerk'), 'keine Leerzeichen an den Enden'],
  ['RoleCodeCase', coded('System-Full-Access'), 'in anderer Schreibung'],
  ['DynamicAttributeKey', category('t_Rate'), 'Der Schlüssel von t_Rate'],
];

/** The texts of a refusal in all languages. */
async function textsOf(rule: string, method: string, path: string, body: unknown): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const language of ['en', 'de', 'zh-CN']) {
    const response = await data.send('admin', method, `/entities/${path}`, body, { 'accept-language': language });
    const messageTemplate = `{lintel.validation.${rule}.message}`;
    expect([response.status, response.json()]).toEqual([400, [expect.objectContaining({ messageTemplate })]]);
    texts.push(response.json()[0].message);
  }
  expect(new Set(texts).size).toBe(3);
  for (const text of texts) expect(text).not.toMatch(/lintel\.validation|\{\w+\}/);
  return texts;
}

// Asserts contract/roles.md#definition, contract/writing.md#validation.
test.each(CASES)(
  'the refusal %s has a message key, and a text in every language',
  async (rule, [entity, body], german) => {
    const [, text] = await textsOf(rule, 'POST', entity, body);
    expect(text).toContain(german);
  },
);

// Asserts contract/writing.md#validation.
test('refused changes of a delivery have message keys, and texts in every language', async () => {
  const [row] = await data.query(`INSERT INTO sys.webhook_delivery
    (webhook_id, webhook_name, event_id, entity_name, entity_id, change, changed_at, lane, state, attempts, queued_at)
    VALUES (gen_random_uuid(), 'W', 'e', 't_Deal', '1', 'created', now(), 'l', 'pending', 0, now()) RETURNING id`);
  const path = `sys_WebhookDelivery/${(row as { id: string }).id}`;
  const [, fixed] = await textsOf('WebhookDeliveryFixed', 'PUT', path, { attempts: 7 });
  expect(fixed).toBe('kann nicht geändert werden');
  const [, state] = await textsOf('WebhookDeliveryState', 'PUT', path, { state: 'delivered' });
  expect(state).toContain('kann nur auf pending gesetzt werden');
});

test.each([
  ['sec_RowLevelPolicy', {}],
  ['sec_RowLevelPolicy', { type: 'query', entityName: null }],
  ['sec_ResourcePolicy', {}],
  ['sec_ResourcePolicy', { type: 'entity', action: 'read' }],
  ['sec_ResourcePolicy', { type: 'entityAttribute', action: 'view', resource: null }],
])('a %s of %j lacks what is mandatory, and returns 400', async (entity, body) => {
  const { status, text } = await data.send('admin', 'POST', `/entities/${entity}`, body);
  expect([status, text]).toEqual([400, expect.stringMatching(/"path":"(entityName|resource)"/)]);
});
