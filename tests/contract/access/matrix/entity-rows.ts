import { query, unique } from '../../api.ts';
import { createDeleted, createVictim, type HiddenData } from '../hidden-data.ts';
import { MANAGER, type MatrixRow, READ, row, SHOWS_HIDDEN } from './row.ts';

export const customers = '/rest/entities/sales_Customer';
const whole = { entity: 'sales_Customer', properties: ['name', 'email', 'creditLimit', 'address', 'orders.number'] };
const plan = query({ fetchPlan: whole, returnNulls: 'true', returnCount: 'true' });
const both = ({ hiddenCustomer, shownCustomer }: HiddenData) => ({
  conditions: [{ property: 'id', operator: 'in', value: [hiddenCustomer, shownCustomer] }],
});

const READING: readonly MatrixRow[] = [
  row(
    'data/read-entities.routes.ts get {path}/:entityName',
    'GET',
    `${customers}${plan}&sort=-createdDate`,
    READ,
    SHOWS_HIDDEN,
  ),
  row('data/read-entities.routes.ts get {path}/:entityName', 'GET', `${customers}?deleted=with`, MANAGER),
  row(
    'data/read-entities.routes.ts get {path}/:entityName/:entityId',
    'GET',
    ({ shownCustomer }) => `${customers}/${shownCustomer}${plan}`,
    READ,
    SHOWS_HIDDEN,
  ),
  row(
    'data/read-entities.routes.ts get {path}/:entityName/:entityId',
    'GET',
    ({ hiddenCustomer }) => `${customers}/${hiddenCustomer}${plan}`,
    [401, 403, 403, 404, 200],
    SHOWS_HIDDEN,
  ),
  row(
    'data/read-entities.routes.ts get {path}/:entityName/:entityId',
    'GET',
    ({ hiddenOrder }) =>
      `/rest/entities/sales_Order/${hiddenOrder}${query({ fetchPlan: { entity: 'sales_Order', properties: ['customer.name'] } })}`,
    [401, 403, 403, 404, 200],
    SHOWS_HIDDEN,
  ),
  row(
    'data/aggregates.routes.ts get {AGGREGATES_PATH}/:entityName',
    'GET',
    `/rest/aggregates/sales_Customer${query({ groupBy: ['name'], aggregates: { n: { count: '*' } } })}`,
    READ,
  ),
  row('data/aggregates.routes.ts post {AGGREGATES_PATH}/:entityName', 'POST', '/rest/aggregates/sales_Customer', READ, {
    body: () => ({ groupBy: ['name'], aggregates: { n: { count: '*' } } }),
  }),
  row('data/search.feature.ts get SEARCH_PATH', 'GET', '/rest/search?q=a&entities=sales_Customer', READ),
  row(
    'data/imports.routes.ts post {IMPORTS_PATH}/:entityName',
    'POST',
    '/rest/imports/sales_Customer',
    // The clerk may update customers: the row that would create one is refused.
    [401, 403, 403, 400, 200],
    { body: () => `name,creditLimit\n${unique('imported')},3\n`, headers: { 'content-type': 'text/csv' } },
  ),
  row(
    'data/imports.routes.ts post {IMPORTS_PATH}/:entityName',
    'POST',
    '/rest/imports/sales_Customer?mode=update&dryRun=true',
    READ,
    {
      body: ({ hiddenCustomer }) => `id,phone\n${hiddenCustomer},037\n`,
      headers: { 'content-type': 'text/csv' },
    },
  ),
  row('data/history.routes.ts get HISTORY_PATH', 'GET', '/rest/history?limit=100', READ),
  row('data/history.routes.ts get HISTORY_PATH', 'GET', '/rest/history?entity=sales_Customer&limit=100', READ),
  row('data/access-log.routes.ts get ACCESS_LOG_PATH', 'GET', '/rest/access-log?limit=100', MANAGER),
  row(
    'data/undo.routes.ts post {HISTORY_PATH}/changes/:change/undo',
    'POST',
    () => `/rest/history/changes/${crypto.randomUUID()}/undo`,
    [401, 403, 403, 404, 404],
  ),
  ...(['shownCustomer', 'hiddenCustomer'] as const).flatMap((which) => {
    const history = (path: string) => (data: HiddenData) => `/rest/history/sales_Customer/${data[which]}${path}`;
    const statuses = which === 'shownCustomer' ? READ : ([401, 403, 403, 404, 200] as const);
    const route = 'data/history.routes.ts get {HISTORY_PATH}/:entityName/:entityId';
    return [
      row(route, 'GET', history('?limit=100'), READ, SHOWS_HIDDEN),
      row(`${route}/at`, 'GET', history(`/at${plan}&time=2030-01-01T00:00:00Z`), statuses, SHOWS_HIDDEN),
      row(
        'data/restore.routes.ts post {HISTORY_PATH}/:entityName/:entityId/restore',
        'POST',
        history('/restore'),
        statuses,
        { body: () => ({ time: '2030-01-01T00:00:00Z', attributes: ['name'] }) },
      ),
      row(`${route}/diff`, 'GET', history('/diff?from=2020-01-01T00:00:00Z'), statuses, SHOWS_HIDDEN),
    ];
  }),
  row(
    'data/read-entities.routes.ts get {path}/:entityName/search',
    'GET',
    (data) => `${customers}/search${plan}&filter=${encodeURIComponent(JSON.stringify(both(data)))}`,
    READ,
    SHOWS_HIDDEN,
  ),
  row('data/read-entities.routes.ts post {path}/:entityName/search', 'POST', `${customers}/search`, READ, {
    body: (data) => ({ filter: both(data), fetchPlan: whole, returnCount: true }),
    showsHiddenValues: true,
  }),
  row(
    'data/read-entities.routes.ts post {path}/:entityName/search',
    'POST',
    '/rest/entities/sales_Order/search',
    READ,
    {
      body: (data) => ({
        filter: {
          conditions: [{ property: 'customer.id', operator: 'in', value: [data.hiddenCustomer, data.shownCustomer] }],
        },
        fetchPlan: { entity: 'sales_Order', properties: ['number', 'customer.name', 'customer.creditLimit'] },
      }),
      showsHiddenValues: true,
    },
  ),
  row(
    'data/read-entities.routes.ts post {path}/:entityName/search',
    'POST',
    `${customers}/search`,
    [401, 403, 403, 403, 200],
    { body: () => ({ filter: { conditions: [{ property: 'creditLimit', operator: '>', value: 1 }] } }) },
  ),
  row(
    'data/read-entities.routes.ts get {path}/:entityName/search/count',
    'GET',
    (data) => `${customers}/search/count?filter=${encodeURIComponent(JSON.stringify(both(data)))}`,
    READ,
  ),
  row('data/read-entities.routes.ts post {path}/:entityName/search/count', 'POST', `${customers}/search/count`, READ, {
    body: (data) => ({ filter: both(data) }),
  }),
];

const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };
const WRITTEN = query({ responseFetchPlan: whole });
const WRITING: readonly MatrixRow[] = [
  row(
    'data/write-entities.routes.ts post {path}/:entityName',
    'POST',
    `${customers}${WRITTEN}`,
    [401, 403, 403, 403, 201],
    { body: () => ({ name: unique('made'), creditLimit: 3 }) },
  ),
  row(
    'data/write-entities.routes.ts put {path}/:entityName/:entityId',
    'PUT',
    ({ shownCustomer }) => `${customers}/${shownCustomer}${WRITTEN}`,
    READ,
    { body: () => ({ phone: '030' }), showsHiddenValues: true },
  ),
  row(
    'data/write-entities.routes.ts put {path}/:entityName/:entityId',
    'PUT',
    ({ hiddenCustomer }) => `${customers}/${hiddenCustomer}${WRITTEN}`,
    [401, 403, 403, 404, 200],
    { body: () => ({ phone: '030' }), showsHiddenValues: true },
  ),
  row(
    'data/write-entities.routes.ts put {path}/:entityName',
    'PUT',
    `${customers}${WRITTEN}`,
    [401, 403, 403, 404, 200],
    {
      body: ({ hiddenCustomer, shownCustomer }) => [
        { id: shownCustomer, phone: '031' },
        { id: hiddenCustomer, phone: '031' },
      ],
      showsHiddenValues: true,
    },
  ),
  row('data/write-entities.routes.ts put {path}/:entityName', 'PUT', `${customers}${WRITTEN}&key=id`, READ, {
    body: ({ shownCustomer }) => [{ id: shownCustomer, phone: '036' }],
    showsHiddenValues: true,
  }),
  ...['merge', 'ignore'].map((duplicates) =>
    row(
      'data/write-entities.routes.ts post {path}/:entityName',
      'POST',
      `${customers}${WRITTEN}`,
      // The clerk may not create customers: one that is hidden is as one that does not exist.
      [401, 403, 403, 403, 200],
      {
        body: ({ hiddenCustomer, shownCustomer }) => [{ id: shownCustomer }, { id: hiddenCustomer, phone: '037' }],
        headers: { prefer: `resolution=${duplicates}-duplicates` },
        showsHiddenValues: true,
      },
    ),
  ),
  row(
    'data/write-entities.routes.ts patch {path}/:entityName/:entityId',
    'PATCH',
    ({ shownCustomer }) => `${customers}/${shownCustomer}${WRITTEN}`,
    READ,
    { body: () => ({ phone: '032' }), headers: MERGE_PATCH, showsHiddenValues: true },
  ),
  row(
    'data/write-entities.routes.ts patch {path}/:entityName/:entityId',
    'PATCH',
    ({ hiddenCustomer }) => `${customers}/${hiddenCustomer}${WRITTEN}`,
    [401, 403, 403, 404, 200],
    { body: () => ({ phone: '032' }), headers: MERGE_PATCH, showsHiddenValues: true },
  ),
  row(
    'data/write-entities.routes.ts patch {path}/:entityName/:entityId',
    'PATCH',
    ({ shownCustomer }) => `${customers}/${shownCustomer}${WRITTEN}`,
    // The clerk may not view the limit: it is as unknown as an attribute that does not exist.
    [401, 403, 403, 400, 200],
    {
      body: () => [
        { op: 'replace', path: '/phone', value: '034' },
        { op: 'copy', from: '/creditLimit', path: '/creditLimit' },
      ],
      headers: { 'content-type': 'application/json-patch+json' },
      showsHiddenValues: true,
    },
  ),
  row(
    'data/write-entities.routes.ts patch {path}/:entityName',
    'PATCH',
    `${customers}${WRITTEN}`,
    [401, 403, 403, 404, 200],
    {
      body: ({ hiddenCustomer, shownCustomer }) => [
        { id: shownCustomer, phone: '033' },
        { id: hiddenCustomer, phone: '033' },
      ],
      headers: MERGE_PATCH,
      showsHiddenValues: true,
    },
  ),
  row(
    'data/write-entities.routes.ts patch {path}/:entityName',
    'PATCH',
    `${customers}${WRITTEN}`,
    [401, 403, 403, 404, 200],
    {
      body: ({ hiddenCustomer, shownCustomer }) => [
        { op: 'replace', path: `/${shownCustomer}/phone`, value: '035' },
        { op: 'replace', path: `/${hiddenCustomer}/phone`, value: '035' },
      ],
      headers: { 'content-type': 'application/json-patch+json' },
      showsHiddenValues: true,
    },
  ),
  row(
    'data/write-entities.routes.ts patch {path}/:entityName',
    'PATCH',
    (data) => `${customers}${query({ responseFetchPlan: whole, filter: both(data) })}`,
    [401, 403, 403, 200, 200],
    { body: () => ({ phone: '036' }), headers: { ...MERGE_PATCH, prefer: 'max-affected=2' }, showsHiddenValues: true },
  ),
  row(
    'data/write-entities.routes.ts delete {path}/:entityName',
    'DELETE',
    async () => {
      const filter = { conditions: [{ property: 'id', operator: '=', value: await createVictim() }] };
      return `${customers}${query({ filter })}`;
    },
    [401, 403, 403, 403, 204],
    { headers: { prefer: 'max-affected=1' } },
  ),
  row(
    'data/write-entities.routes.ts delete {path}/:entityName/:entityId',
    'DELETE',
    async () => `${customers}/${await createVictim()}`,
    [401, 403, 403, 403, 204],
  ),
  row(
    'data/write-entities.routes.ts delete {path}/:entityName/:entityId',
    'DELETE',
    async () => `${customers}/${await createDeleted()}?deleted=only`,
    [401, 403, 403, 403, 204],
  ),
  row(
    'data/write-entities.routes.ts post {path}/:entityName/:entityId/restore',
    'POST',
    async () => `${customers}/${await createDeleted()}/restore`,
    [401, 403, 403, 403, 200],
  ),
  row('data/write-entities.routes.ts delete {path}/:entityName', 'DELETE', customers, [401, 403, 403, 403, 204], {
    body: async () => [await createVictim()],
  }),
];

/** Reading and writing of entities. */
export const ENTITY_ROWS: readonly MatrixRow[] = [...READING, ...WRITING];
