import { Readable } from 'node:stream';
import type { RoleRegistry } from '@lintel/security';
import type { DatasetClient } from '../datasets/dataset-client.ts';
import { type CatalogueForPorts, createCatalogueFor } from './catalogue-for.ts';
import { loadReportCatalogue } from './report-catalogue.ts';
import type { StoredReports } from './stored-reports.ts';

const GROUPS = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002'];
const stored = (code: string, n: number) => ({
  definition: {
    id: `bbbbbbbb-0000-4000-8000-00000000000${n}`,
    code,
    name: code,
    restAccess: true,
    bands: [],
    templates: [],
  },
  isStored: true,
  problems: [],
  compile: () => Promise.reject(new Error('not compiled')),
  streamFile: () => Readable.from([]),
});
const STORED: StoredReports = {
  reports: [stored('one', 1), stored('two', 2)],
  groups: GROUPS.map((id) => ({ id, title: id })),
};
const rolesAbout = (entity: string): RoleRegistry => ({
  version: '1',
  resourceRoles: new Map(),
  rowRoles: new Map([
    ['own', { code: 'own', name: 'Own', policies: [{ kind: 'query', entity, where: `{E}.code = 'one'` } as never] }],
  ]),
});

/** What the data service was asked. */
let asked: string[];
const datasets: Pick<DatasetClient, 'read'> = {
  async *read({ entity }) {
    asked.push(entity);
    yield entity === 'report_Report' ? { id: STORED.reports[0]?.definition.id } : { id: GROUPS[1] };
  },
};
async function catalogueFor(entity: string, rowLevelRoles: readonly string[], more: Partial<CatalogueForPorts> = {}) {
  const ofApplication = await loadReportCatalogue(
    { model: {} as never, resourceRoles: new Map(), reports: [] },
    () => Promise.reject(new Error('There is no template')),
    { maxTags: 5_000 },
  );
  const ports = {
    ofApplication: () => ofApplication,
    stored: () => STORED,
    currentRoles: () => rolesAbout(entity),
    datasets,
  };
  const find = createCatalogueFor({ ...ports, ...more });
  return find({ principal: { rowLevelRoles }, token: async () => 'token', signal: new AbortController().signal });
}

beforeEach(() => {
  asked = [];
});

// Asserts contract/reports.md#visibility.
test('row-level roles about reports leave those that the data service shows to the caller', async () => {
  const catalogue = await catalogueFor('report_Report', ['own']);
  expect(catalogue.reports.map(({ definition }) => definition.code)).toEqual(['one']);
  expect(catalogue.findByCode('two')).toBeUndefined();
  expect(catalogue.findById(STORED.reports[1]?.definition.id ?? '')).toBeUndefined();
  expect(asked).toEqual(['report_Report']);
});

// Asserts contract/reports.md#visibility.
test('row-level roles about groups hide groups', async () => {
  const catalogue = await catalogueFor('report_ReportGroup', ['own']);
  expect(GROUPS.map((id) => catalogue.findGroup(id)?.id)).toEqual([undefined, GROUPS[1]]);
  expect(catalogue.reports).toHaveLength(2);
});

// Asserts contract/reports.md#visibility.
test('callers without such roles see all of them, without a call of the data service', async () => {
  for (const [entity, roles] of [
    ['report_Report', []],
    ['sales_Order', ['own']],
  ] as const)
    expect((await catalogueFor(entity, roles)).reports).toHaveLength(2);
  expect(asked).toEqual([]);
});

test('of the reports of a caller with an unknown row-level role only those stay that the data service shows', async () => {
  const none: Pick<DatasetClient, 'read'> = {
    // biome-ignore lint/correctness/useYield: there is no row
    async *read({ entity }) {
      asked.push(entity);
    },
  };
  const catalogue = await catalogueFor('sales_Order', ['own', 'renamed'], { datasets: none });
  expect(catalogue.reports).toEqual([]);
  expect(asked).toEqual(['report_Report', 'report_ReportGroup']);
});

test('where the data service is unavailable the reports cannot be read', async () => {
  // biome-ignore lint/correctness/useYield: it fails before the first row
  const read: DatasetClient['read'] = async function* () {
    throw new Error('The data cannot be read now');
  };
  await expect(catalogueFor('report_Report', ['own'], { datasets: { read } })).rejects.toThrow('cannot be read now');
});
