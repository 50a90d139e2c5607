import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startApplication, type TestApplication } from '@lintel/test';

const ADA = '01890000-0000-7000-8000-000000000001';

let application: TestApplication;
before(async () => {
  application = await startApplication();
});
after(() => application.stop());

test('a clerk finds the customers of a city', async () => {
  const response = await application.as('clerk').get('/queries/sample_Customer/ofCity?city=Berlin');
  assert.equal(response.status, 200);
  assert.deepEqual(
    response.json<{ name: string }[]>().map(({ name }) => name),
    ['Ada Wright'],
  );
});

test('a customer is greeted by name', async () => {
  const response = await application.as('clerk').get(`/services/sample_Customers/greeting?id=${ADA}`);
  assert.equal(response.text, 'Dear Ada Wright,');
});

test('a clerk may not delete customers', async () => {
  const response = await application.as('clerk').delete(`/entities/sample_Customer/${ADA}`);
  assert.equal(response.status, 403);
});
