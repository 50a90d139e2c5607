import { findingOfGroups } from './database-checks.ts';

const ALL = ['lintel_sec_reader', 'lintel_federation', 'lintel_report_runner', 'lintel_report_reader'];

test('groups of logins that are missing fail nothing, because one login needs none', () => {
  expect(findingOfGroups(ALL, false)).toEqual({ status: 'ok', detail: ALL.join(', ') });
  expect(findingOfGroups(ALL.slice(1), false)).toEqual({
    status: 'warning',
    detail: 'missing: lintel_sec_reader. Only services with a login for each need them',
    remedy: 'For such logins, run "lintel migrate run" as a user who may create roles',
  });
  expect(findingOfGroups([], true)).toMatchObject({ status: 'ok' });
});
