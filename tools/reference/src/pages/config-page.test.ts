import { configPage } from './config-page.ts';
import { type SettingRow, settingRows } from './setting-rows.ts';

const row: Omit<SettingRow, 'meanings'> = {
  name: 'svc.sample.limit',
  environmentName: 'SVC_SAMPLE_LIMIT',
  accepts: 'a whole number from 0 to 10',
  defaultText: '5',
  secret: false,
};
const OTHER: SettingRow = { ...row, name: 'svc.sample.other', meanings: [{ description: 'y', services: ['files'] }] };
const rowOf = (...meanings: SettingRow['meanings']): string =>
  configPage([{ ...row, meanings }, OTHER])
    .split('\n')
    .find((line) => line.includes(row.name)) ?? '';

test('a property with one meaning has its description and the services that read it', () => {
  expect(rowOf({ description: 'a | b', services: ['auth', 'data'] })).toBe(
    '| `svc.sample.limit` | 0–10 | `5` | a \\| b | auth, data |',
  );
  expect(rowOf({ description: 'x', services: ['gateway', 'auth', 'data', 'files', 'reports'] })).toMatch(
    / x \| all \|$/,
  );
});

test('a section whose properties all have the same readers names them once', () => {
  const page = configPage([OTHER]);
  expect(page).toContain('\nRead by files.\n');
  expect(page).toContain('\n| `svc.sample.other` | 0–10 | `5` | y |\n');
});

test('a property with several meanings has the description of each service', () => {
  expect(
    rowOf({ description: 'One', services: ['gateway'] }, { description: 'Other', services: ['auth', 'data'] }),
  ).toMatch(/ \*gateway:\* One<br>\*auth, data:\* Other \| gateway, auth, data \|$/);
});

test('the database of each service has a description of its own', () => {
  const { meanings = [] } = settingRows().find(({ name }) => name === 'svc.datasource.url') ?? {};
  expect(meanings.map(({ services }) => services)).toEqual([['auth'], ['data'], ['files'], ['reports']]);
  expect(new Set(meanings.map(({ description }) => description)).size).toBe(4);
});
