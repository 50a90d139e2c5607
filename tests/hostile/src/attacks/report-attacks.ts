import { randomUUID } from 'node:crypto';
import { type Attack, type Attacker, atOnce } from './attack.ts';
import { idOf } from './created.ts';
import { HIGH_BANDS, HIGH_WORKBOOK, ORDERS, WORD, WORKBOOK } from './report-templates.ts';

const CODE = `hostile-${randomUUID().slice(0, 8)}`;
const LOOP = '{% for i in (1..3000) %}{% for j in (1..3000) %}{% endfor %}{% endfor %}';
const LONG_TEXT = `{% assign t = 'x' %}${'{% assign t = t | append: t %}'.repeat(30)}{{ t | size }}`;
const TIMEOUT_MS = 150_000;

interface StoredReport {
  readonly outputType: 'HTML' | 'DOCX' | 'XLSX';
  readonly template: string | Uint8Array;
  /** Of the band `Orders`. */
  readonly query?: string;
  /** Names of further bands. */
  readonly bands?: readonly string[];
}

let count = 0;

/** A run of a report that is stored before. */
function run(title: string, { outputType, template, query = ORDERS, bands = [] }: StoredReport): Attack {
  let code = '';
  const name = `template.${outputType.toLowerCase()}`;
  return {
    finding: 'L',
    title,
    sender: 'manager',
    prepare: async ({ asAdmin }) => {
      count += 1;
      code = `${CODE}-${count}`;
      const uploaded = await asAdmin({
        method: 'POST',
        path: `/rest/files?name=${name}`,
        headers: { 'content-type': 'application/octet-stream' },
        body: template,
      });
      const content = String((JSON.parse(uploaded.text) as { fileRef: string }).fileRef);
      const group = idOf(
        await asAdmin({ method: 'POST', path: '/rest/entities/report_ReportGroup', body: { title: code } }),
      );
      const definition = {
        parameters: [],
        bands: [
          { name: 'Orders', dataSets: [{ kind: 'query', name: 'orders', query }] },
          ...bands.map((band) => ({ name: band })),
        ],
      };
      const body = {
        name: code,
        code,
        restAccess: true,
        group: { id: group },
        definition: JSON.stringify(definition),
        templates: [{ code: 'DEFAULT', reportOutputType: outputType, isDefault: true, name, content }],
      };
      idOf(await asAdmin({ method: 'POST', path: '/rest/entities/report_Report', body }));
      await untilListed(asAdmin, code);
    },
    run: async ({ send }) => [
      await send({ method: 'POST', path: `/rest/reports/run/code/${code}`, body: {}, timeoutMs: TIMEOUT_MS }),
    ],
    statuses: [400, 422, 429, 503],
    withinMs: 10_000,
  };
}

/** Reports that are stored are found within a second. */
async function untilListed(asAdmin: Attacker['asAdmin'], code: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { text } = await asAdmin({ method: 'GET', path: '/rest/reports/report' });
    if (text.includes(code)) return;
  }
  throw new Error(`The report ${code} is not listed`);
}

/** A row for each of the first orders of the demo, each product of it, and so many products again. */
const rowsOf = (orders: number, again = 1): string =>
  [
    'select o.number as number from sales_Order o, sales_Product p, sales_Product q',
    `where o.number like 'A-%' and o.number <= 'A-${String(orders).padStart(5, '0')}'`,
    `and p.sku like 'SKU-%' and q.sku like 'SKU-%' and q.sku <= 'SKU-${String(again).padStart(4, '0')}'`,
  ].join(' ');

/** Five copies at once of a report with 20 templates of ten megabytes. */
function copies(): Attack {
  const ids: string[] = [];
  return {
    finding: 'C',
    title: 'five copies at once of a report with 20 templates of ten megabytes leave room for others',
    sender: 'admin',
    prepare: async ({ asAdmin }) => {
      const headers = { 'content-type': 'application/octet-stream' };
      const file = new Uint8Array(10_000_000);
      const uploaded = await asAdmin({ method: 'POST', path: '/rest/files?name=copy.xlsx', headers, body: file });
      const content = String((JSON.parse(uploaded.text) as { fileRef: string }).fileRef);
      const template = { reportOutputType: 'XLSX', name: 'copy.xlsx', content };
      const templates = Array.from({ length: 20 }, (_, at) => ({ ...template, code: `T${at}`, isDefault: at === 0 }));
      const code = `${CODE}-copied`;
      const definition = JSON.stringify({ bands: [{ name: 'Orders' }] });
      const body = { name: code, code, restAccess: true, definition, templates };
      ids.push(idOf(await asAdmin({ method: 'POST', path: '/rest/entities/report_Report', body })));
      await untilListed(asAdmin, code);
    },
    run: async ({ send }) => {
      const path = `/rest/reports/report/${ids[0]}/copy`;
      const replies = await atOnce(5, 5, (at) =>
        send({ method: 'POST', path, body: { name: `${CODE} copy ${at}` }, timeoutMs: TIMEOUT_MS }),
      );
      ids.push(...replies.filter(({ status }) => status === 201).map(idOf));
      return replies;
    },
    cleanUp: async ({ asAdmin }) => {
      for (const id of ids.splice(0)) await asAdmin({ method: 'DELETE', path: `/rest/entities/report_Report/${id}` });
    },
    statuses: [201, 429, 503],
    withinMs: 40_000,
  };
}

/** Runs of reports (L), and copies (C). */
export const REPORT_ATTACKS: readonly Attack[] = [
  copies(),
  // Whether the machine needs more processor time for it than a template may take decides which of both it is.
  {
    ...run('a template with 9,000,000 passes of a loop is refused, or rendered in slices', {
      outputType: 'HTML',
      template: LOOP,
    }),
    statuses: [200, 400],
  },
  run('a template that doubles a text 30 times is refused', { outputType: 'HTML', template: LONG_TEXT }),
  {
    ...run('a Word document at its limit of elements is written in slices', {
      outputType: 'DOCX',
      template: WORD,
      query: rowsOf(40),
    }),
    statuses: [200],
    withinMs: 40_000,
  },
  {
    ...run('a Word document above its limit of elements is refused', {
      outputType: 'DOCX',
      template: WORD,
      query: rowsOf(300),
    }),
    statuses: [400],
    limit: 'The document has more than',
    withinMs: 40_000,
  },
  {
    ...run('a workbook of 18,000 rows is written in slices', {
      outputType: 'XLSX',
      template: WORKBOOK,
      query: rowsOf(300),
    }),
    statuses: [200],
    withinMs: 40_000,
  },
  {
    ...run('190 ranges of a million rows are rendered without a step for each row', {
      outputType: 'XLSX',
      template: HIGH_WORKBOOK,
      query: `${ORDERS} where o.number = 'A-00001'`,
      bands: HIGH_BANDS,
    }),
    statuses: [200],
  },
  {
    ...run('a workbook at its limit of rows is written in slices', {
      outputType: 'XLSX',
      template: WORKBOOK,
      query: rowsOf(300, 11),
    }),
    statuses: [200],
    withinMs: TIMEOUT_MS,
    isLong: true,
  },
  {
    finding: 'part 13',
    title: '20 reports of one user at the same time leave room for others',
    sender: 'manager',
    run: ({ send }) =>
      atOnce(20, 20, () => send({ method: 'POST', path: '/rest/reports/run/code/price-list', body: {} })),
    statuses: [200, 429, 503],
    withinMs: 60_000,
  },
];
