import { importOptional, MissingPackageError } from './import-optional.ts';
import { isStartError } from './start-error.ts';

const CHARTS = { purpose: 'Charts of reports', packages: ['@x/charts@1.2.3'] };
const missing = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /x/chart.js`), { code: 'ERR_MODULE_NOT_FOUND' });

test('a package that is installed is returned', async () => {
  expect(await importOptional(CHARTS, async () => 'charts')).toBe('charts');
});

test('one that is missing is an error with what needs it and the command that installs it', async () => {
  const refused = await importOptional(CHARTS, () => Promise.reject(missing('@x/charts'))).catch((error) => error);
  expect(refused).toBeInstanceOf(MissingPackageError);
  expect(isStartError(refused)).toBe(true);
  expect(refused.message).toBe(
    'Charts of reports need a package that is not installed: run "npm install @x/charts@1.2.3" in the folder of the application',
  );
});

test('packages that belong together are installed by one command', () => {
  expect(new MissingPackageError({ purpose: 'Traces', packages: ['a@1.0.0', 'b@2.0.0'] }).message).toBe(
    'Traces need packages that are not installed: run "npm install a@1.0.0 b@2.0.0" in the folder of the application',
  );
});

test.each([missing('another'), new Error("'@x/charts'")])('another error stays as it is: %s', async (error) => {
  await expect(importOptional(CHARTS, () => Promise.reject(error))).rejects.toBe(error);
});
