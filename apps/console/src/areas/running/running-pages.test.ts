import { entity, rightsOn } from '../../../test/page/model-of-tests.ts';
import { runningPages } from './running-pages.ts';

const WEBHOOK = entity('sys_Webhook', []);
const pagesWith = (specifics: readonly string[], without = ['sys_Webhook:read']) =>
  runningPages({ rights: rightsOn([WEBHOOK], { specifics, without }) });

test.each([
  [[], []],
  [['health.view'], ['health', 'handlers']],
  [['dead-letters.view'], ['dead-letters']],
  [['jobs.read'], ['jobs']],
  [['jobs.read.nightly'], ['jobs']],
  [['jobs.manage'], []],
  [['mailbox.view'], ['mailbox']],
  [
    ['statements.view', 'schema.view'],
    ['statements', 'schema'],
  ],
  // The page shows the properties of running processes.
  [['configuration.view'], []],
  [
    ['configuration.view', 'health.view'],
    ['health', 'handlers', 'configuration'],
  ],
])('with the permissions %j the pages are %j', (specifics, expected) => {
  expect(pagesWith(specifics)).toEqual(expected);
});

test('webhooks are shown to those who may read them', () => {
  expect(pagesWith([], [])).toEqual(['webhooks']);
});
