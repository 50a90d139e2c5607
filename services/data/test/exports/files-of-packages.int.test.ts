import { readFileSync } from 'node:fs';
import { defineApplication } from '@lintel/application';
import {
  type AttributeBuilder,
  boolean,
  dateTime,
  decimal,
  double,
  integer,
  json,
  localDate,
  localTime,
  standardEntity,
  string,
  text,
} from '@lintel/metadata';
import { type DataFixture, startData } from '../data-fixture.ts';

interface RealFile {
  readonly type?: string;
  readonly attributes: Readonly<Record<string, AttributeBuilder<unknown>>>;
  readonly columns?: Readonly<Record<string, string | null>>;
  readonly query?: string;
  /** The instances of the file; undefined for one that is refused. */
  readonly rows?: number;
  /** An expression of SQL about the instances `t`, and its value. */
  readonly found?: readonly [sql: string, value: unknown];
  /** Members of the report or the error. */
  readonly report?: object;
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const KS_1033 = {
  state: string(2),
  county: text(),
  fips: string(5),
  nsn: text(),
  item_name: text(),
  quantity: integer(),
  ui: text(),
  acquisition_cost: decimal(19, 2),
  total_cost: decimal(19, 2),
  ship_date: dateTime(),
  federal_supply_category: integer(),
  federal_supply_category_name: text(),
  federal_supply_class: string(4),
  federal_supply_class_name: text(),
};
const ABC = { a: text(), b: text(), c: text() };
const SHEET = { number: integer(), url: text(), name: text() };
const SHEET_COLUMNS = { '№': 'number', Название: 'name', 'Вер.': null, 'Сост.': null, Аналитик: null, Заказчик: null };
const refusal = (reason: string) => ({ errors: expect.arrayContaining([expect.objectContaining({ reason })]) });

/** Files that packages ship (files-of-packages/NOTICE). */
const FILES: Readonly<Record<string, RealFile>> = {
  'airports.csv': {
    attributes: {
      iata: string(4),
      name: text(),
      city: text(),
      state: string(2),
      country: string(3),
      latitude: decimal(19, 10),
      longitude: decimal(19, 10),
    },
    rows: 1_000,
    found: [
      'jsonb_build_array(sum(latitude)::text, max(name) FILTER (WHERE iata = $$35A$$))',
      ['40357.0996250500', 'Union County, Troy Shelton'],
    ],
    report: { decimal: '.' },
  },
  'co2-concentration.csv': {
    attributes: { date: localDate(), co2: double(), adjusted: double() },
    columns: { 'adjusted CO2': 'adjusted' },
    rows: 741,
    found: ['jsonb_build_array(min(date), max(date), max(adjusted))', ['1958-03-01', '2020-04-01', 413.35]],
  },
  'github.csv': {
    attributes: { time: dateTime(), count: integer() },
    rows: 955,
    found: ['jsonb_build_array(sum(count), min(time))', [2479, '2015-01-01T01:00:00']],
  },
  'population_engineers_hurricanes.csv': {
    attributes: { state: text(), number: integer(), population: integer(), engineers: double(), hurricanes: integer() },
    columns: { id: 'number' },
    rows: 52,
    found: ['jsonb_build_array(sum(hurricanes), max(number))', [420, 72]],
  },
  'stocks.csv': {
    attributes: { symbol: string(4), date: localDate(), price: decimal(19, 2) },
    report: refusal("Attribute 'date' must be a date in the form YYYY-MM-DD"),
  },
  'unemployment.tsv': {
    attributes: { county: integer(), rate: decimal(4, 3) },
    columns: { id: 'county' },
    rows: 3_218,
    found: ['sum(rate)::text', '289.347'],
  },
  'penguins.csv': {
    attributes: {
      species: text(),
      island: text(),
      bill_length_mm: double(),
      bill_depth_mm: double(),
      flipper_length_mm: integer(),
      body_mass_g: integer(),
      sex: text(),
      year: integer(),
    },
    report: { rows: 344, refused: 2, errors: expect.arrayContaining([expect.objectContaining({ row: 4 })]) },
  },
  'testfixed_converted.csv': {
    attributes: {
      text: text(),
      date: localDate(),
      integer: integer(),
      boolean: boolean(),
      float: double(),
      time: localTime(),
      datetime: dateTime(),
    },
    columns: { empty_column: null },
    rows: 4,
    found: [
      '(jsonb_agg(jsonb_build_array(time, float, "boolean") ORDER BY time) FILTER (WHERE time IS NOT NULL))',
      [
        ['00:00:00', 41_800_000.01, false],
        ['04:14:00', 1, true],
        ['14:57:13', 1.24, true],
      ],
    ],
  },
  'test_header_newline.csv': {
    attributes: ABC,
    columns: { 'start \t\n\u000b\f\r end': 'a' },
    rows: 1,
    found: ['max(a)', 'd'],
  },
  'mac_newlines.csv': { attributes: ABC, rows: 2, found: ['max(a)', 'Once upon\ra time'] },
  'no_header_row.csv': {
    attributes: ABC,
    report: { details: expect.stringContaining("Column 1 '1' is no attribute") },
  },
  'test_utf16_big.csv': { attributes: ABC, rows: 2, found: ['max(c)', 'ʤ'] },
  'null_byte.csv': { attributes: ABC, report: { details: 'Line 2 contains a NUL character' } },
  'test_latin1.csv': {
    type: 'text/csv;charset=iso-8859-1',
    attributes: ABC,
    rows: 2,
    found: ['max(c)', '©'],
  },
  'bad.csv': {
    attributes: { column_a: integer(), column_b: text(), column_c: integer() },
    report: {
      ...{ rows: 3, created: 1, refused: 2 },
      errors: [
        { row: 1, reason: 'The row has 4 cells, the header has 3' },
        { row: 2, reason: 'The row has 2 cells, the header has 3' },
      ],
    },
  },
  'test_locale.csv': {
    attributes: { a: decimal(19, 2), b: integer(), c: text() },
    rows: 1,
    found: ['jsonb_build_array(max(a), max(b))', [1.7, 200_000_000]],
    report: { decimal: ',' },
  },
  'test_empty_columns.csv': {
    attributes: ABC,
    report: { rows: 2, created: 1, errors: [{ row: 2, reason: 'The row has 4 cells, the header has 5' }] },
  },
  'test_geojson.csv': {
    attributes: {
      prop0: text(),
      prop1: text(),
      geojson: json(),
      type: text(),
      longitude: double(),
      latitude: double(),
    },
    rows: 3,
    found: [`jsonb_agg(geojson ->> 'type' ORDER BY type)`, ['LineString', 'Point', 'Polygon']],
  },
  'testjson_multiline.ndjson': {
    type: 'application/x-ndjson',
    attributes: { a: integer(), b: integer(), d: integer() },
    rows: 2,
    found: ['jsonb_build_array(sum(a), sum(b), sum(d))', [2, 5, 4]],
  },
  'FY09_EDU_Recipients_by_State.csv': {
    attributes: { name: text().mandatory(), abbreviation: string(2), code: string(2), total: integer() },
    columns: {
      'State Name': 'name',
      'State Abbreviate': 'abbreviation',
      'Montgomery GI Bill-Active Duty': null,
      'Montgomery GI Bill- Selective Reserve': null,
      "Dependents' Educational Assistance": null,
      'Reserve Educational Assistance Program': null,
      "Post-Vietnam Era Veteran's Educational Assistance Program": null,
    },
    rows: 52,
    found: ['sum(total)', 506_914],
    report: { decimal: '.' },
  },
  'ks_1033_data.csv': {
    attributes: KS_1033,
    rows: 200,
    found: [
      'jsonb_build_array(sum(total_cost)::text, sum(quantity), min(ship_date))',
      ['178422.11', 216, '2006-04-27T00:00:00'],
    ],
    report: { dateOrder: 'mdy' },
  },
  'ne_1033_data.xlsx': {
    type: XLSX,
    attributes: KS_1033,
    rows: 1_036,
    found: ['max(ship_date) FILTER (WHERE county = $$ADAMS$$)', '2008-07-11T00:00:00'],
  },
  'test.xlsx': {
    type: XLSX,
    attributes: { number: integer(), text: text(), boolean: boolean(), date: localDate(), datetime: dateTime() },
    rows: 3,
    // Its calendar begins in 1904.
    found: [
      'jsonb_agg(jsonb_build_array(text, "boolean", date, datetime) ORDER BY number)',
      [
        ['a', true, '2015-11-04', '2015-11-04T12:22:00'],
        ['👍', false, '2015-11-05', '2015-11-04T12:45:00'],
        ['b', null, null, null],
      ],
    ],
  },
  'test_numeric_column_name.xlsx': {
    type: XLSX,
    attributes: { country: text(), population: integer() },
    columns: { 2013: 'population' },
    report: { errors: [{ row: 1, reason: 'The row has 3 cells, the header has 2' }] },
  },
  'test_sheets.xlsx': { type: XLSX, attributes: ABC, report: { details: 'The first sheet of the workbook is empty' } },
  'covid_19-iss.xlsx': {
    type: XLSX,
    attributes: ABC,
    report: {
      details: 'The workbook cannot be read: the cells A31:P47 are merged: each cell of a table has its own value',
    },
  },
  'last-column-empty.xlsx': {
    type: XLSX,
    attributes: ABC,
    rows: 5,
    found: ['jsonb_build_array(count(c), max(c))', [2, 'even more things']],
  },
  'sheets.xlsx': { type: XLSX, attributes: SHEET, columns: SHEET_COLUMNS, rows: 5, found: ['max(number)', 5] },
  'skip_empty_lines.xlsx': {
    type: XLSX,
    attributes: SHEET,
    columns: SHEET_COLUMNS,
    rows: 2,
    found: ['jsonb_build_array(max(name), sum(number))', ['<<Шаблон сценария>>', 4]],
  },
  'timeformat.xlsx': {
    type: XLSX,
    attributes: ABC,
    report: { details: 'Column 1 has no text as its name' },
  },
};

const cases = Object.entries(FILES).map(([file, each], at) => ({ file, entity: `p_File${at}`, ...each }));

let data: DataFixture;
beforeAll(async () => {
  const entities = cases.map(({ entity, attributes }) => standardEntity(entity, { attributes }));
  data = await startData(defineApplication({ id: 'p', name: 'Files of packages', entities }), {
    admin: { resourceRoles: ['system-full-access'] },
  });
});
afterAll(() => data?.close());
afterEach(() => expect(data.errors).toEqual([]));

// Asserts contract/imports.md#files, contract/imports.md#local-forms, contract/imports.md#cells, contract/imports.md#xlsx.
test.each(cases)(
  '$file, which a package ships, is imported or refused as a whole',
  async ({ file, entity, type = 'text/csv', columns, rows, found, report }) => {
    const bytes = readFileSync(new URL(`files-of-packages/${file}`, import.meta.url));
    const query = columns === undefined ? '' : `?columns=${encodeURIComponent(JSON.stringify(columns))}`;
    const response = await data.send('admin', 'POST', `/imports/${entity}${query}`, bytes, { 'content-type': type });
    expect(response.json()).toMatchObject({ ...(rows === undefined ? {} : { created: rows, errors: [] }), ...report });
    expect(response.status).toBe(rows === undefined ? 400 : 200);
    const [stored] = await data.query(
      `SELECT count(*)::int AS rows, to_jsonb(${found?.[0] ?? 'NULL::text'}) AS found FROM p.${entity.slice(2).toLowerCase()} t`,
    );
    expect(stored).toEqual({ rows: rows ?? 0, found: found?.[1] ?? null });
  },
);
