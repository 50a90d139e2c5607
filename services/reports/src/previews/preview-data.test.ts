import type { ReportDefinition } from '@lintel/application';
import {
  type Access,
  buildAccess,
  entityPolicy,
  type ResourcePolicy,
  resourceRole,
  specificPolicy,
} from '@lintel/security';
import type { LoadedReport } from '../definitions/report-catalogue.ts';
import { assertMayChangeReports, assertPreviewable } from './preview-data.ts';

const definition = (kind: 'sql' | 'query'): ReportDefinition => ({
  id: '22222222-2222-4222-8222-222222222222',
  name: 'x',
  restAccess: true,
  bands: [{ name: 'A', dataSets: [{ kind, name: 'a', sql: 'select 1', query: 'select 1' } as never] }],
  templates: [],
});
const stored = (kind: 'sql' | 'query') => ({ definition: definition(kind), isStored: true }) as LoadedReport;
const accessWith = (...policies: readonly ResourcePolicy[]): Access =>
  buildAccess(['r'], new Map([['r', resourceRole('r', { name: 'R', policies })]]), { requireApiScope: false });
const editor = accessWith(entityPolicy('report_Report', 'read', 'update'));

// Asserts contract/reports.md#preview.
test('a report in code is not previewed', () =>
  expect(() => assertPreviewable({ definition: definition('query'), isStored: false } as LoadedReport, editor)).toThrow(
    'The report is defined in code: its data cannot be previewed',
  ));

// Asserts contract/reports.md#preview.
test('a report with SQL is previewed by those who may write SQL', () => {
  expect(() => assertPreviewable(stored('query'), editor)).not.toThrow();
  expect(() => assertPreviewable(stored('sql'), editor)).toThrow(/all rows of reports with SQL/);
  expect(() => assertPreviewable(stored('sql'), accessWith(specificPolicy('reports.sql.edit')))).not.toThrow();
});

test('who may only read reports is no editor', () => {
  expect(() => assertMayChangeReports(editor)).not.toThrow();
  expect(() => assertMayChangeReports(accessWith(entityPolicy('report_Report', 'read')))).toThrow(
    'Updating of the report_Report is forbidden',
  );
});
