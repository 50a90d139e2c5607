import { randomUUID } from 'node:crypto';
import { type Attack, atOnce } from './attack.ts';
import { idOf } from './created.ts';
import { ALIAS, LETTERS, ORDERS, workbook } from './report-templates.ts';

const TIMEOUT_MS = 150_000;

/** A definition with a text of about so many characters, which is a list of conditions. */
const longDefinition = (characters: number): string => {
  const query = `${ORDERS} where ${Array.from({ length: Math.floor(characters / 20) }, () => "o.number = '1234'").join(' or ')}`;
  return JSON.stringify({ bands: [{ name: 'Orders', dataSets: [{ kind: 'query', name: 'orders', query }] }] });
};

const ROWS = Array.from({ length: 1_000 }, (_, at) => at + 1);
/** A sheet of 10,000 cells. */
const sheet = (name: string, cellAt: (column: number, row: number) => string) => ({
  name,
  cells: Object.fromEntries(
    ROWS.flatMap((row) => LETTERS.map((letter, column) => [`${letter}${row}`, cellAt(column, row)] as const)),
  ),
});
/** References to an area outside of all ranges, without content: every row of the sheet is looked at. */
const references = (count: number, from: number): string =>
  Array.from({ length: count }, (_, at) => `Other!Z${1 + ((from + at) % 900)}:Z9999`).join(',');

type CellAt = (column: number, row: number) => string;

const FIELDS: CellAt = (column, row) => `${ALIAS} \${unknown${column}x${row}}`;
const FORMULAS: CellAt = (column, row) => `=SUM(${references(1, column * 90 + row)})+${LETTERS[column]}${row}`;
const LONG_FORMULAS: CellAt = (column, row) => (column === 0 && row <= 100 ? `=SUM(${references(450, row)})` : 'x');
const WORKBOOKS = [FIELDS, FORMULAS, LONG_FORMULAS];

/** Five checks at once of workbooks in turn, whose first sheet is the range of the band. */
function checks(title: string, workbooks: readonly CellAt[]): Attack {
  let bodies: object[] = [];
  return {
    finding: 'C',
    title,
    sender: 'admin',
    prepare: async ({ asAdmin }) => {
      bodies = [];
      for (const cellAt of workbooks) {
        const uploaded = await asAdmin({
          method: 'POST',
          path: '/rest/files?name=check.xlsx',
          headers: { 'content-type': 'application/octet-stream' },
          body: workbook({
            sheets: [sheet('Orders', cellAt), sheet('Other', () => 'x')],
            names: { Orders: 'Orders!$A$1:$J$1000' },
          }),
        });
        const content = String((JSON.parse(uploaded.text) as { fileRef: string }).fileRef);
        const bands = [{ name: 'Orders', dataSets: [{ kind: 'query', name: 'orders', query: ORDERS }] }];
        const templates = [{ name: 'check.xlsx', outputType: 'XLSX', content }];
        bodies.push({ definition: JSON.stringify({ bands }), templates });
      }
    },
    run: async ({ send }) => {
      const replies = await atOnce(5, 5, (at) => {
        const body = bodies[at % bodies.length];
        return send({ method: 'POST', path: '/rest/reports/definition/check', body, timeoutMs: TIMEOUT_MS });
      });
      if (replies.every(({ status }) => status === 429)) throw new Error('All checks were refused');
      return replies;
    },
    // Where other programs use the processors too, the last ones wait for longer than the share of a caller allows.
    statuses: [200, 429],
    withinMs: 20_000,
    maxBlockMs: 100,
  };
}

/** The same for a text template. */
const textChecks = (title: string, text: string): Attack => {
  let content = '';
  return {
    finding: 'C',
    title,
    sender: 'admin',
    prepare: async ({ asAdmin }) => {
      const headers = { 'content-type': 'text/plain' };
      const uploaded = await asAdmin({ method: 'POST', path: '/rest/files?name=check.html', headers, body: text });
      content = String((JSON.parse(uploaded.text) as { fileRef: string }).fileRef);
    },
    run: ({ send }) => {
      const fields = Array.from({ length: 3_000 }, (_, at) => `o.number as f${at}`).join(', ');
      const query = `select ${fields} from sales_Order o`;
      const bands = [{ name: 'Orders', dataSets: [{ kind: 'query', name: 'orders', query }] }];
      const templates = [{ name: 'check.html', outputType: 'HTML', content }];
      const body = { definition: JSON.stringify({ bands }), templates };
      return atOnce(5, 5, () =>
        send({ method: 'POST', path: '/rest/reports/definition/check', body, timeoutMs: TIMEOUT_MS }),
      );
    },
    statuses: [200, 400],
    withinMs: 20_000,
    maxBlockMs: 100,
  };
};

/** Paths of attributes that begin alike. */
const namesOf = (path: string, names: string): readonly string[] => names.split(' ').map((name) => `${path}${name}`);

/** A draft of the maximum size: a path of three references in each of 40 columns, of the groups and the conditions. */
const draftOf = (template: 'XLSX' | 'DOCX') => {
  const attributes = [
    ...namesOf('', 'id percent reason version createdBy createdDate lastModifiedBy lastModifiedDate'),
    ...namesOf('line.', 'id quantity price position version createdBy createdDate'),
    ...namesOf('line.order.', 'id date amount discount notes placedAt confirmedAt deliverFrom externalId version'),
    ...namesOf('line.order.customer.', 'id name email grade version createdBy createdDate'),
    ...namesOf('line.product.', 'id name price version createdBy createdDate lastModifiedBy lastModifiedDate'),
  ];
  return {
    ...{ title: 'Draft', entity: 'sales_LineDiscount', template, attributes },
    groups: ['line.order.number', 'line.product.sku', 'line.order.status'],
    totals: attributes.map((attribute) => ({ attribute, function: 'count' })),
    filter: Array.from({ length: 20 }, () => ({ attribute: 'line.order.number', operator: 'contains', value: '-' })),
    sort: attributes.slice(0, 5),
  };
};

/** Ten drafts at once, of both kinds. */
const drafts = (title: string, path: string, bodyOf: (draft: object) => object): Attack => ({
  finding: 'C',
  title,
  sender: 'admin',
  run: ({ send }) =>
    atOnce(10, 10, (at) => {
      const body = bodyOf(draftOf(at % 2 === 0 ? 'XLSX' : 'DOCX'));
      return send({ method: 'POST', path, body, timeoutMs: TIMEOUT_MS });
    }),
  statuses: [200],
  withinMs: 20_000,
});

/** Texts of data sets for which a search from each position would take the square of the time. */
const LONG_TEXTS = [
  `${ORDERS} ${' '.repeat(180_000)}x`,
  `${ORDERS} where o.number in (${`${ALIAS},`.repeat(18_000)}1)`,
  `${ORDERS} ${'/* $b$ '.repeat(25_000)}`,
];

/** Definitions (L), their versions (V), and checks and drafts of reports (C). */
export const DEFINITION_ATTACKS: readonly Attack[] = [
  {
    finding: 'L',
    title: 'definitions of the maximum length, a longer one and one of 15,000 levels are checked in time',
    sender: 'admin',
    run: async ({ send }) => {
      const path = '/rest/reports/definition/check';
      const deep = `${'{"bands":['.repeat(15_000)}`;
      return Promise.all(
        [longDefinition(190_000), longDefinition(250_000), deep].map((definition) =>
          send({ method: 'POST', path, body: { definition } }),
        ),
      );
    },
    statuses: [200, 400],
  },
  {
    finding: 'L',
    title: 'definitions whose data sets have very many blanks, placeholders or comments are checked in time',
    sender: 'admin',
    run: async ({ send }) =>
      Promise.all(
        LONG_TEXTS.map((query) => {
          const bands = [{ name: 'Orders', dataSets: [{ kind: 'query', name: 'orders', query }] }];
          const body = { definition: JSON.stringify({ bands }) };
          return send({ method: 'POST', path: '/rest/reports/definition/check', body });
        }),
      ),
    statuses: [200],
  },
  {
    finding: 'V',
    title: 'versions of a report that is changed by 12 requests at once are listed and compared in time',
    sender: 'admin',
    run: async ({ send }) => {
      const name = `hostile-${randomUUID()}`;
      const body = { name, restAccess: false, definition: longDefinition(100_000) };
      const created = await send({ method: 'POST', path: '/rest/entities/report_Report', body });
      const path = `/rest/entities/report_Report/${idOf(created)}`;
      await atOnce(12, 12, (at) =>
        send({ method: 'PUT', path, body: { definition: longDefinition(100_000 + 20 * at) } }),
      );
      return atOnce(20, 20, (at) =>
        send({ method: 'GET', path: `${path}/versions${at % 2 === 0 ? '?limit=100' : '/1/difference'}` }),
      );
    },
    statuses: [200, 429, 503],
  },
  ...[
    checks('five checks at once of a workbook with 10,000 fields that are wrong leave room for others', [FIELDS]),
    checks('five checks at once of a workbook with 10,000 formulas leave room for others', [FORMULAS]),
    checks('five checks at once of a workbook with 100 formulas of 7,000 characters leave room for others', [
      LONG_FORMULAS,
    ]),
  ].map((attack) => ({ ...attack, isLong: true as const })),
  {
    ...checks(
      'five checks at once of three workbooks with 10,000 fields and formulas leave room for others',
      WORKBOOKS,
    ),
    isGroup: true,
  },
  drafts(
    'ten drafts at once of the maximum size leave room for others',
    '/rest/reports/definition/draft',
    (draft) => draft,
  ),
  {
    ...drafts(
      'ten runs at once of a draft of the maximum size leave room for others',
      '/rest/reports/definition/draft/run',
      (draft) => ({ draft }),
    ),
    statuses: [200, 400, 429, 503],
    limit: 'The document has more than',
  },
  // The second one is at the limit of tags, the first one above it.
  ...['10,000', '1,250'].map((number) =>
    textChecks(
      `five checks at once of a text with ${number} loops, fields and bands that are wrong leave room for others`,
      Array.from(
        { length: Number(number.replace(',', '')) },
        (_, at) => `{% for o${at} in Root.bands.Orders %}{{ o${at}.fields.x${at} }}{% endfor %}{{ bands.B${at} }}`,
      ).join('\n'),
    ),
  ),
];
