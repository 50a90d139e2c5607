import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type RunningApplication, startApplication } from './start-application.ts';

const ADA = '01890000-0000-7000-8000-000000000001';

let application: RunningApplication;
before(async () => {
  application = await startApplication();
});
after(() => application.stop());

test('a clerk finds the customers of a city', async () => {
  const response = await application.get('clerk', '/rest/queries/sample_Customer/ofCity?city=Berlin');
  assert.equal(response.status, 200);
  assert.deepEqual(
    JSON.parse(response.text).map(({ name }: { name: string }) => name),
    ['Ada Wright'],
  );
});

test('a customer is greeted by name', async () => {
  const response = await application.get('clerk', `/rest/services/sample_Customers/greeting?id=${ADA}`);
  assert.equal(response.text, 'Dear Ada Wright,');
});

test('a clerk may not delete customers', async () => {
  const response = await application.send('clerk', 'DELETE', `/rest/entities/sample_Customer/${ADA}`);
  assert.equal(response.status, 403);
});
