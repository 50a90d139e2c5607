import type { ReportDefinition } from '@lintel/application';
import { buildModel, standardEntity, string } from '@lintel/metadata';
import {
  type Access,
  buildAccess,
  entityPolicy,
  type ResourcePolicy,
  resourceRole,
  specificPolicy,
} from '@lintel/security';
import type { LoadedReport } from '../definitions/report-catalogue.ts';
import type { StoredReport } from '../definitions/stored-reports.ts';
import { assertSeesTemplates, loadVersion } from './load-version.ts';

const ID = '22222222-2222-4222-8222-222222222222';
const model = buildModel({
  entities: [standardEntity('x_Product', { attributes: { name: string(10) } })],
  enums: [],
  fetchPlans: [],
});
const withSql = (sql?: string): Pick<ReportDefinition, 'bands'> => ({
  bands: [{ name: 'A', ...(sql !== undefined && { dataSets: [{ kind: 'sql', name: 'a', sql }] }) }],
});
const versionOf = (definition: unknown): StoredReport => ({
  id: ID,
  name: 'Old',
  code: null,
  group: null,
  restAccess: false,
  definition: JSON.stringify(definition),
  templates: [
    { code: 'DEFAULT', outputType: 80, isDefault: true, name: 'a.csv', content: 'fs://a', outputNamePattern: null },
  ],
});
const presentOf = (definition: Pick<ReportDefinition, 'bands'>, isStored = true) =>
  ({
    definition: { id: ID, name: 'New', restAccess: true, templates: [], ...definition } as ReportDefinition,
    isStored,
  }) as LoadedReport;
const accessWith = (...policies: readonly ResourcePolicy[]): Access =>
  buildAccess(['r'], new Map([['r', resourceRole('r', { name: 'R', policies })]]), { requireApiScope: false });
const editor = accessWith(entityPolicy('report_Report', 'read', 'update'));
const editorOfSql = accessWith(entityPolicy('report_Report', 'read', 'update'), specificPolicy('reports.sql.edit'));

const load = (old: unknown, options: { present?: LoadedReport; number?: string; access?: Access } = {}) => {
  const { present = presentOf(withSql()), number = '3', access = editor } = options;
  const readVersion = async (id: string, found: number) => (id === ID && found === 3 ? versionOf(old) : undefined);
  return loadVersion(present, number, access, {
    application: { model, resourceRoles: new Map() },
    readVersion,
  });
};

// Asserts contract/reports.md#version-previews.
test('a version is a report with its definition and its problems', async () => {
  expect(await load({ bands: [{ name: 'B' }] })).toMatchObject({
    definition: { id: ID, name: 'Old', bands: [{ name: 'B' }] },
    isStored: true,
    problems: [],
  });
  const gone = {
    bands: [{ name: 'B', dataSets: [{ kind: 'entities', name: 'b', entity: 'x_Gone', fetchPlan: 'p' }] }],
  };
  expect((await load(gone)).problems).toEqual([expect.stringContaining('x_Gone')]);
});

// Asserts contract/reports.md#version-previews.
test.each(['4', '0', '-3', '3.0', '10000000', 'x'])('there is no version %s', async (number) => {
  await expect(load(withSql(), { number })).rejects.toMatchObject({
    code: 'REQ_NOT_FOUND',
    details: `There is no version ${number} of the report`,
  });
});

// Asserts contract/reports.md#version-previews.
test('a report in code has no version, also where one of the database has its id', async () => {
  await expect(load(withSql(), { present: presentOf(withSql(), false) })).rejects.toMatchObject({
    code: 'REQ_NOT_FOUND',
  });
});

// Asserts contract/reports.md#version-previews.
test('SQL needs its permission, and must be that of the report as it is now', async () => {
  const present = presentOf(withSql('select 1'));
  await expect(load(withSql('select 1'), { present })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  expect((await load(withSql('select 1'), { present, access: editorOfSql })).problems).toEqual([]);
  await expect(load(withSql('select 2'), { present, access: editorOfSql })).rejects.toMatchObject({
    code: 'REPORT_RUN_ERROR',
    details: 'Version 3 has SQL that the report does not have now: restore the version to run it',
  });
});

// Asserts contract/reports.md#version-previews.
test('versions are for those who see all templates of reports', () => {
  const reader = accessWith(entityPolicy('report_ReportTemplate', 'read'));
  expect(() => assertSeesTemplates(reader, false)).not.toThrow();
  expect(() => assertSeesTemplates(reader, true)).toThrow('Reading of the report_ReportTemplate is forbidden');
  expect(() => assertSeesTemplates(editor, false)).toThrow('Reading of the report_ReportTemplate is forbidden');
});
