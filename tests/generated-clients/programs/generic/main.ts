import {
  Configuration,
  EntitiesApi,
  FilesApi,
  ReportsApi,
  ResponseError,
  SearchApi,
  TokensApi,
} from './client/index.js';

declare const process: { readonly argv: readonly string[] };

// The requests of the journey with the client of the API of any application; prints the results as JSON.

const [, , basePath = '', number = ''] = process.argv;
const entityName = 'sales_Order';

const login = new TokensApi(new Configuration({ basePath, username: 'client', password: 'secret' }));
const token = await login.issueToken({ grantType: 'password', username: 'admin', password: 'admin' });
// The generated code sends the token of OAuth as it is, without a scheme.
const configuration = new Configuration({ basePath, accessToken: `Bearer ${token.accessToken}` });
const entities = new EntitiesApi(configuration);

const conditions = [{ property: 'customer.name', operator: '=' as const, value: 'Duarte SARL' }];
const found = await new SearchApi(configuration).searchEntities({
  entityName,
  search: { filter: { conditions }, fetchPlan: 'order-list', limit: 2 },
});

const [customer] = await entities.listEntities({ entityName: 'sales_Customer', limit: 1 });
const [product] = await entities.listEntities({ entityName: 'sales_Product', limit: 1 });
const created = await entities.createEntities({
  entityName,
  entity: {
    number,
    date: '2026-02-03',
    status: 'NEW',
    customer: { id: customer?.id },
    lines: [{ product: { id: product?.id }, quantity: 2, price: 1.25 }],
  },
  responseFetchPlan: 'order-edit',
});
const entityId = String(created.id);

const read = await entities.getEntityRaw({ entityName, entityId });
const ifMatch = read.raw.headers.get('etag') ?? '';
const update = (notes: string) =>
  entities.updateEntity({ entityName, entityId, ifMatch, entity: { notes }, responseFetchPlan: '_local' });
// Null is for clients that prefer a minimal response.
const changed = await update('changed');
const stale = await update('stale').then(
  () => 200,
  (error: unknown) => (error instanceof ResponseError ? error.response.status : 0),
);

const files = new FilesApi(configuration);
const info = await files.uploadFile({ file: new Blob(['hello']), name: 'note.txt' });
const file = await files.downloadFile({ fileRef: info.fileRef });

const period = [
  { name: 'from', value: '2026-01-01' },
  { name: 'to', value: '2026-12-31' },
];
const report = await new ReportsApi(configuration).runReportByCode({
  code: 'sales-by-customer',
  reportRun: { template: 'csv', parameters: period },
});

console.log(
  JSON.stringify({
    found: found.length,
    amount: created['amount'],
    quantity: created['lines'][0].quantity,
    notes: changed?.['notes'],
    stale,
    file: await file.text(),
    report: (await report.text()).split('\n')[0],
  }),
);
