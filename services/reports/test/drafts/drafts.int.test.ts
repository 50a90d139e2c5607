import { reportDraftSchema } from '@lintel/contracts';
import { renderDocument } from '@lintel/documents';
import { bandTree, renderFile, rowsOf } from '@lintel/documents/testing';
import {
  buildModel,
  createMessages,
  date,
  decimal,
  displayIn,
  enumeration,
  enumOf,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { buildAccess, entityPolicy, resourceRole, viewAttributes } from '@lintel/security';
import { convertByOffice, textOfPdf } from '@lintel/testkit';
import { draftDocument } from '../../src/drafts/draft-document.ts';
import { layoutOf } from '../../src/drafts/draft-layout.ts';
import { draftWorkbook } from '../../src/drafts/draft-workbook.ts';

const Status = enumeration('x.Status', { NEW: 'N', DONE: 'D' });
const model = buildModel({
  entities: [
    standardEntity('x_Customer', { attributes: { name: string(50), limit: decimal(19, 2) } }),
    standardEntity('x_Order', {
      attributes: {
        number: string(20),
        date: date(),
        amount: decimal(19, 2),
        status: enumOf(Status),
        customer: toOne('x_Customer'),
      },
    }),
    standardEntity('x_Secret', { attributes: { name: string(10) } }),
  ],
  enums: [Status],
  fetchPlans: [],
});
const MESSAGES = createMessages([
  {
    locale: '',
    texts: {
      'lintel.report.total': 'Total',
      'x/Order.customer': 'Customer',
      'x/Customer.name': 'Name',
      'x/Order.status': 'Status',
      'x/Order.number': 'Number',
      'x/Order.date': 'Date',
      'x/Order.amount': 'Amount',
    },
  },
  { locale: 'de', texts: { 'lintel.report.total': 'Summe' } },
]);
const DRAFT = {
  title: 'Orders by status',
  entity: 'x_Order',
  attributes: ['number', 'customer.name', 'date', 'amount'],
  groups: ['status'],
  totals: [{ attribute: 'amount', function: 'sum' }],
};
const reader = resourceRole('reader', {
  name: 'Reader',
  policies: [
    entityPolicy('x_Order', 'read'),
    ...viewAttributes('x_Order', '*'),
    entityPolicy('x_Customer', 'read'),
    ...viewAttributes('x_Customer', 'name'),
  ],
});
const access = buildAccess(['reader'], new Map([['reader', reader]]), { requireApiScope: false });
const layout = (more: object = {}, locale = 'en') =>
  layoutOf(reportDraftSchema.parse({ ...DRAFT, ...more }), { model, access, display: displayIn(MESSAGES, locale) });
const textsOf = (more: object): readonly string[] =>
  JSON.stringify(layout(more).definition.bands).match(/select [^"]*/g) ?? [];

test('rows are below their groups, with totals of each group and of all', () => {
  expect(textsOf({})).toEqual([
    'select e.status as status, sum(e.amount) as amount from x_Order e group by e.status order by e.status',
    `select e.number as number, e.customer.name as customer_name, e.date as date, e.amount as amount from x_Order e where (e.status = \${Group1.status} or (e.status is null and \${Group1.status} is null)) order by e.number`,
    'select sum(e.amount) as amount from x_Order e',
  ]);
});

test('values of conditions are parameters, in each text of the report', () => {
  const filter = [
    { attribute: 'date', operator: '>=', defaultExpression: 'startOfMonth' },
    { attribute: 'number', operator: 'contains', value: "' or 1=1", isAsked: false },
    { attribute: 'customer', operator: '=' },
    { attribute: 'amount', operator: 'notEmpty' },
  ];
  const { parameters } = layout({ filter }).definition;
  expect(parameters).toEqual([
    { alias: 'date_1', name: 'Date >=', type: 'DATE', defaultExpression: 'startOfMonth' },
    {
      alias: 'number_2',
      name: 'Number',
      type: 'TEXT',
      defaultValue: "' or 1=1",
      transformation: 'CONTAINS',
      hidden: true,
    },
    { alias: 'customer_3', name: 'Customer', type: 'ENTITY', entity: 'x_Customer' },
  ]);
  const condition = `where e.date >= \${date_1} and e.number like \${number_2} escape '\\\\' and e.customer.id = \${customer_3} and e.amount is not null`;
  for (const text of textsOf({ filter })) expect(text).toContain(condition);
});

test.each<[string, object, string, string]>([
  ['an entity', { entity: 'x_Secret', attributes: ['name'], groups: [], totals: [] }, 'ACCESS_READ_DENIED', 'x_Secret'],
  [
    'an attribute of a reference',
    { attributes: ['customer.limit'], totals: [] },
    'ACCESS_READ_DENIED',
    'x_Customer.limit',
  ],
  [
    'a condition',
    { filter: [{ attribute: 'customer.limit', operator: '>' }] },
    'ACCESS_READ_DENIED',
    'x_Customer.limit',
  ],
  ['a sort', { sort: ['-customer.limit'] }, 'ACCESS_READ_DENIED', 'x_Customer.limit'],
  ['a group', { groups: ['customer.limit'] }, 'ACCESS_READ_DENIED', 'x_Customer.limit'],
  ['an unknown attribute', { groups: ['none'] }, 'REPORT_INVALID_BODY', 'groups: none'],
  ['two fields of one name', { attributes: ['number', 'number'], totals: [] }, 'REPORT_INVALID_BODY', 'number'],
  [
    'two totals of one attribute',
    { totals: ['avg', 'sum'].map((name) => ({ attribute: 'amount', function: name })) },
    'REPORT_INVALID_BODY',
    'totals: there are two of amount',
  ],
])('%s that the author may not use is refused and named', (_case, more, code, named) => {
  expect(() => layout(more)).toThrow(expect.objectContaining({ code, details: expect.stringContaining(named) }));
});

test('LibreOffice shows the workbook: title, header, groups, totals, formats of the language', async () => {
  const root = bandTree({
    Header: [{}],
    Group1: [
      {
        fields: { status: 'Done', amount: 1234.5 },
        below: { Rows: rowsOf({ number: 'A-1', customer_name: 'ACME', date: dayOf('2026-03-01'), amount: 1234.5 }) },
      },
      {
        fields: { status: 'New', amount: 20 },
        below: { Rows: rowsOf({ number: 'A-2', customer_name: 'Zoo', date: dayOf('2026-03-02'), amount: 20 }) },
      },
    ],
    Total: [{ fields: { amount: 1254.5 } }],
  });
  const template = draftWorkbook(DRAFT.title, layout({}, 'de'), displayIn(MESSAGES, 'de'));
  const { bytes, part } = await renderFile(template, root);
  expect(part('xl/worksheets/sheet1.xml')).toContain('<pane ySplit="3"');
  expect(part('xl/workbook.xml')).toContain('_xlnm.Print_Titles');
  const text = await textOfPdf(await convertByOffice(bytes, 'xlsx', 'pdf'));
  expect(text).toMatch(/Orders by status\s+Status\s+Number\s+Customer \/ Name\s+Date\s+Amount/);
  expect(text).toMatch(/Status: Done\s+1,234\.50\s+A-1\s+ACME\s+01\.03\.2026\s+1,234\.50/);
  expect(text).toMatch(/Summe\s+1,254\.50/);
});

test('LibreOffice shows the Word document: title, header, groups in each other, totals', async () => {
  const filter = { groups: ['status', 'customer.name'], attributes: ['number', 'date', 'amount'] };
  const content = draftDocument(DRAFT.title, layout(filter, 'de'), displayIn(MESSAGES, 'de'));
  const row = { fields: { number: 'A-1', date: '2026-03-01', amount: 1234.5 } };
  const below = (name: string) => ({ fields: { customer_name: name, amount: 20 }, bands: { Rows: [row, row] } });
  const group = (status: string, ...names: readonly string[]) => ({
    ...{ fields: { status, amount: 40 }, bands: { Group2: names.map(below) } },
  });
  const bands = {
    Group1: [group('Done', 'ACME', 'Zoo'), group('New', 'Bar')],
    Total: [{ fields: { amount: 1254.5 } }],
  };
  const document = await renderDocument({ file: 't.docx', content, outputType: 'DOCX' }, { bands });
  const bytes = Buffer.concat((await Array.fromAsync(document.content)).map((piece) => Buffer.from(piece)));
  const text = await textOfPdf(await convertByOffice(bytes, 'docx', 'pdf'));
  expect(text).toMatch(/Orders by status\s+Status – Customer \/ Name\s+Number\s+Date\s+Amount/);
  const rows = String.raw`A-1\s+2026-03-01\s+1,234\.5`;
  const customer = (name: string) => `Customer / Name: ${name}\\s+20\\s+${rows}\\s+${rows}`;
  expect(text).toMatch(new RegExp(`Status: Done\\s+40\\s+${customer('ACME')}\\s+${customer('Zoo')}\\s+Status: New`));
  expect(text).toMatch(/Summe\s+1,254\.5/);
  expect(text).not.toMatch(/##|\$\{/);
});

function dayOf(text: string) {
  return { kind: 'temporal', temporal: 'date', text } as const;
}
