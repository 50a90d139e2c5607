import { randomUUID } from 'node:crypto';
import { strToU8, zipSync } from 'fflate';
import { type Attack, type Attacker, atOnce } from './attack.ts';
import { idOf } from './created.ts';

const CODE = `hostile-${randomUUID().slice(0, 8)}`;
const LOOP = '{% for i in (1..3000) %}{% for j in (1..3000) %}{% endfor %}{% endfor %}';
const LONG_TEXT = `{% assign t = 'x' %}${'{% assign t = t | append: t %}'.repeat(30)}{{ t | size }}`;
const ORDERS = 'select o.number as number from sales_Order o';
/** A field of a band in a template. */
const ALIAS = '$'.concat('{number}');
const TIMEOUT_MS = 150_000;
const COLUMNS = Array.from({ length: 10 }, (_, at) => at);

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

const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
const TABLE = `<w:tbl><w:tr>${COLUMNS.map((at) => cell(`${at === 0 ? '##band=Orders ' : ''}${ALIAS}`)).join('')}</w:tr></w:tbl>`;
const OOXML = 'http://schemas.openxmlformats.org';
const OFFICE = `${OOXML}/officeDocument/2006/relationships`;
/** A document of a main part, and of the parts that it refers to as `rId1`, … */
function documentOf(
  type: string,
  main: string,
  parts: Readonly<Record<string, readonly [type: string, text: string]>>,
) {
  const relationships = (targets: readonly (readonly [type: string, target: string])[]): Uint8Array =>
    strToU8(
      `<Relationships xmlns="${OOXML}/package/2006/relationships">${targets
        .map(([kind, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${kind}" Target="${target}"/>`)
        .join('')}</Relationships>`,
    );
  return zipSync({
    '[Content_Types].xml': strToU8(
      `<Types xmlns="${OOXML}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/main.xml" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    ),
    '_rels/.rels': relationships([['officeDocument', 'main.xml']]),
    'main.xml': strToU8(main),
    '_rels/main.xml.rels': relationships(Object.entries(parts).map(([name, [kind]]) => [kind, name])),
    ...Object.fromEntries(Object.entries(parts).map(([name, [, text]]) => [name, strToU8(text)])),
  });
}
const WORD = documentOf(
  'wordprocessingml.document',
  `<w:document xmlns:w="${OOXML}/wordprocessingml/2006/main"><w:body>${TABLE}</w:body></w:document>`,
  {},
);
const MAIN = `${OOXML}/spreadsheetml/2006/main`;
const CELLS = Object.fromEntries(COLUMNS.map((at) => [`${String.fromCharCode(65 + at)}1`, ALIAS]));
interface Sheet {
  readonly name: string;
  readonly cells: Readonly<Record<string, string | number>>;
}
function workbook({
  sheets,
  names,
}: {
  readonly sheets: readonly Sheet[];
  readonly names: Readonly<Record<string, string>>;
}) {
  const named = Object.entries(names).map(([name, range]) => `<definedName name="${name}">${range}</definedName>`);
  const listed = sheets.map(({ name }, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  const partOf = ({ cells }: Sheet): readonly [string, string] => {
    const rows = Map.groupBy(Object.entries(cells), ([cell]) => Number(/\d+$/.exec(cell)?.[0]));
    const written = [...rows].map(
      ([row, inside]) =>
        `<row r="${row}">${inside.map(([cell, text]) => `<c r="${cell}" t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`,
    );
    return ['worksheet', `<worksheet xmlns="${MAIN}"><sheetData>${written.join('')}</sheetData></worksheet>`];
  };
  return documentOf(
    'spreadsheetml.sheet',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${listed.join('')}</sheets><definedNames>${named.join('')}</definedNames></workbook>`,
    Object.fromEntries(sheets.map((sheet, at) => [`sheet${at + 1}.xml`, partOf(sheet)])),
  );
}
const RANGE = 'Orders!$A$1:$J$1';
const WORKBOOK = workbook({ sheets: [{ name: 'Orders', cells: CELLS }], names: { Orders: RANGE } });

/** Bands whose ranges are whole sheets, side by side. */
const HIGH_BANDS = Array.from({ length: 190 }, (_, at) => `High${at}`);
const HIGH_WORKBOOK = workbook({
  sheets: [{ name: 'Orders', cells: { A1: ALIAS } }],
  names: { Orders: RANGE, ...Object.fromEntries(HIGH_BANDS.map((band) => [band, 'Orders!$A$2:$XFD$1048000'])) },
});

/** A definition with a text of about so many characters, which is a list of conditions. */
const longDefinition = (characters: number): string => {
  const query = `${ORDERS} where ${Array.from({ length: Math.floor(characters / 20) }, () => "o.number = '1234'").join(' or ')}`;
  return JSON.stringify({ bands: [{ name: 'Orders', dataSets: [{ kind: 'query', name: 'orders', query }] }] });
};

const LETTERS = COLUMNS.map((at) => String.fromCharCode(65 + at));
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

/** A draft of the maximum size: a path of three references in each of 40 columns, of the groups and the conditions. */
const draftOf = (template: 'XLSX' | 'DOCX') => {
  const attributes = [
    ...['id', 'percent', 'reason', 'version', 'createdBy', 'createdDate', 'lastModifiedBy', 'lastModifiedDate'],
    ...['id', 'quantity', 'price', 'position', 'version', 'createdBy', 'createdDate'].map((name) => `line.${name}`),
    ...[
      'id',
      'date',
      'amount',
      'discount',
      'notes',
      'placedAt',
      'confirmedAt',
      'deliverFrom',
      'externalId',
      'version',
    ].map((name) => `line.order.${name}`),
    ...['id', 'name', 'email', 'grade', 'version', 'createdBy', 'createdDate'].map(
      (name) => `line.order.customer.${name}`,
    ),
    ...['id', 'name', 'price', 'version', 'createdBy', 'createdDate', 'lastModifiedBy', 'lastModifiedDate'].map(
      (name) => `line.product.${name}`,
    ),
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

/** Texts of data sets for which a search from each of their places would take the square of the time. */
const LONG_TEXTS = [
  `${ORDERS} ${' '.repeat(180_000)}x`,
  `${ORDERS} where o.number in (${`${ALIAS},`.repeat(18_000)}1)`,
  `${ORDERS} ${'/* $b$ '.repeat(25_000)}`,
];

/** Runs of reports (L) and checks of templates (C). */
export const REPORT_ATTACKS: readonly Attack[] = [
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
      count += 1;
      const name = `${CODE}-${count}`;
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
    ...checks('five checks at once of three workbooks with 10,000 fields and formulas leave room for others', [
      ...[FIELDS, FORMULAS, LONG_FORMULAS],
    ]),
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
  copies(),
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
