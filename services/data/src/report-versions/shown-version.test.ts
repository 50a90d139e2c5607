import type { ReadAccess } from '@lintel/query';
import { shownContent } from './shown-version.ts';

const OUTPUT_TYPES = {
  name: 'report.ReportOutputType',
  idType: 'int',
  values: [{ id: 80, name: 'CSV' }],
} as const;
const content = {
  name: 'Orders',
  code: 'orders',
  localeNames: null,
  description: null,
  group: 'group-id',
  restAccess: true,
  definition: '{"bands":[]}',
  templates: [
    {
      code: 'DEFAULT',
      reportOutputType: 80,
      isDefault: true,
      name: 'o.csv',
      content: 'fs://o',
      outputNamePattern: null,
    },
  ],
};

const accessOf = (hidden: readonly string[], restricted: readonly string[] = []): ReadAccess => ({
  fingerprint: '',
  entity: (entity) => ({
    canRead: true,
    mayView: (attribute) => !hidden.includes(`${entity}.${attribute}`),
    rows: restricted.includes(entity) ? { kind: 'constant', value: true } : undefined,
    predicates: [],
  }),
});
const shown = (access: ReadAccess) => shownContent(content, access, OUTPUT_TYPES);

test('a version is shown with the names of output types', () => {
  const { templates, ...attributes } = content;
  expect(shown(accessOf([]))).toEqual({ attributes, templates: [{ ...templates[0], reportOutputType: 'CSV' }] });
});

// Asserts contract/reports.md#versions.
test('attributes that may not be viewed, and templates that rows restrict, are left out', () => {
  const hidden = shown(accessOf(['report_Report.definition', 'report_ReportTemplate.content']));
  expect(hidden.attributes).not.toHaveProperty('definition');
  expect(hidden.templates?.[0]).not.toHaveProperty('content');
  expect(shown(accessOf([], ['report_ReportTemplate']))).not.toHaveProperty('templates');
  expect(shown(accessOf([], ['report_ReportGroup'])).attributes).not.toHaveProperty('group');
});
