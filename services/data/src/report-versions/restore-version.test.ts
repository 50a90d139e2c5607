import type { Access } from '@lintel/security';
import { assertMayRestore } from './restore-version.ts';

const accessTo = (denied?: string): Access => ({
  fingerprint: '',
  allows: () => true,
  mayView: () => true,
  mayModify: (entity, attribute) => `${entity}.${attribute}` !== denied,
  hasSpecific: () => true,
});

test('who may change all attributes of reports and templates restores', () => {
  expect(() => assertMayRestore(accessTo(), true)).not.toThrow();
});

// Asserts contract/reports.md#versions.
test('who may not change an attribute of reports or templates, or does not see templates, restores nothing', () => {
  for (const denied of ['report_Report.restAccess', 'report_ReportTemplate.content'])
    expect(() => assertMayRestore(accessTo(denied), true)).toThrow(`Updating of the ${denied} is forbidden`);
  expect(() => assertMayRestore(accessTo(), false)).toThrow('Updating of the report_ReportTemplate is forbidden');
});
