import { randomUUID } from 'node:crypto';
import { type Attack, type Attacker, atOnce } from './attack.ts';
import { assertCreated } from './created.ts';

const ROLES = 100;
const ENTITIES = ['Customer', 'Order', 'OrderLine', 'Product', 'Warehouse', 'StockMovement', 'Company', 'Person'];
const ACTIONS = ['create', 'read', 'update', 'delete'];
let name = '';

const policiesOf = (at: number): readonly object[] =>
  ENTITIES.flatMap((entity, index) => {
    const resource = `sales_${entity}`;
    return [
      ...ACTIONS.filter((_, action) => (at + action) % 3 > 0).map((action) => ({ type: 'entity', resource, action })),
      { type: 'entityAttribute', resource: `${resource}.*`, action: (at + index) % 2 === 0 ? 'view' : 'modify' },
    ];
  });

/** A user with so many roles of the database, each with its own policies. */
async function createUser({ asAdmin }: Attacker): Promise<void> {
  const create = (entity: string, body: unknown) => asAdmin({ method: 'POST', path: `/rest/entities/${entity}`, body });
  assertCreated(await create('sec_User', { username: name, password: `secret-of-${name}` }));
  const codes = Array.from({ length: ROLES }, (_, at) => `${name}-${at}`);
  const roles = codes.map((code, at) => ({ name: code, code, scopes: ['API'], resourcePolicies: policiesOf(at) }));
  const assigned = ['rest-minimal', ...codes].map((roleCode) => ({ username: name, roleCode, roleType: 'resource' }));
  assertCreated(await create('sec_ResourceRole', roles));
  assertCreated(await create('sec_RoleAssignment', assigned));
}

async function logIn({ send }: Attacker): Promise<string> {
  const { text } = await send({
    method: 'POST',
    path: '/oauth/token',
    headers: { authorization: `Basic ${btoa('client:secret')}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: `grant_type=password&username=${name}&password=secret-of-${name}`,
  });
  return `Bearer ${(JSON.parse(text) as { access_token: string }).access_token}`;
}

const DOCUMENTS = ['openapiDetailed.json', 'openapiDetailed.yaml', 'openapi.json', 'openapi.yaml'].flatMap((document) =>
  ['3.1', '3.0'].map((version) => `/rest/docs/${document}?for=me&openapi=${version}`),
);
const LOCALES = ['en', 'de', 'zh-CN'];

let authorization = '';

/** Documents that are limited to the rights of a caller (contract/api-documents.md#for-me). */
export const DOCUMENT_ATTACKS: readonly Attack[] = [
  {
    finding: 'D1',
    title: `every document of a user with ${ROLES} roles, in every language and version at once`,
    sender: 'anonymous',
    prepare: async (attacker) => {
      name = `hostile-${randomUUID().slice(0, 8)}`;
      await createUser(attacker);
      authorization = await logIn(attacker);
    },
    run: ({ send }) =>
      atOnce(DOCUMENTS.length * LOCALES.length, 12, (at) =>
        send({
          method: 'GET',
          path: DOCUMENTS[at % DOCUMENTS.length] ?? '',
          headers: { authorization, 'accept-language': LOCALES[at % LOCALES.length] ?? 'en' },
        }),
      ),
    statuses: [200, 503],
  },
];
