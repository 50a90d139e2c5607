import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StartedProgram, startProgram } from '@lintel/testkit';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const GOLF = 'b0000000-0000-4000-8000-000000000001';
const TRAFIC = 'b0000000-0000-4000-8000-000000000002';
const TOM = 'c0000000-0000-4000-8000-000000000002';

let home: string;
let garage: StartedProgram;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lintel-garage-'));
  // As root, PostgreSQL runs as another user, who must get here.
  await chmod(home, 0o755);
  garage = await startProgram(join(ROOT, 'deploy/standalone/src/main.ts'), [], {
    cwd: ROOT,
    variables: { SVC_APPLICATION: './examples/garage', LINTEL_HOME: join(home, 'data') },
    client: 'web:secret',
  });
  await garage.ready();
});
afterAll(async () => {
  await garage.stop();
  await rm(home, { recursive: true, force: true });
});

const get = async (user: string, path: string) => (await garage.send(user, 'GET', path)).json();
const call = (user: string, method: string, number: string) =>
  garage.send(user, 'POST', `/services/garage_Jobs/${method}`, { number });

test('anonymous callers see the price list, and nothing else', async () => {
  const parts = await fetch(`${garage.url}/rest/entities/garage_Part?sort=name`);
  expect(await parts.json()).toMatchObject([
    { id: 'BRK-100', name: 'Brake pads', price: 48.9 },
    { id: 'OIL-5W30', price: 9.95 },
  ]);
  expect((await fetch(`${garage.url}/rest/entities/garage_Car`)).status).toBe(401);
});

test('mechanics see their own jobs and those without a mechanic', async () => {
  const numbers = async (user: string) =>
    (await get(user, '/entities/garage_Job?sort=number')).map(({ number }: { number: string }) => number);
  expect(await numbers('mia')).toEqual(['J-1001', 'J-1002']);
  expect(await numbers('tom')).toEqual(['J-1002']);
});

test('a mechanic sees neither addresses of customers nor hourly rates of others', async () => {
  const [customer] = await get('mia', '/entities/garage_Customer?sort=name');
  expect(Object.keys(customer)).toEqual(['_entityName', '_instanceName', 'id', 'name']);
  expect((await get('mia', '/entities/garage_Mechanic')).some((each: object) => 'hourlyRate' in each)).toBe(false);
});

test('the cars whose inspection is due come with their owners', async () => {
  const due = await get('desk', '/queries/garage_Car/inspectionsDue?until=2026-12-31');
  expect(due).toMatchObject([{ plate: 'B-NB 412', owner: { name: 'Nora Brandt', phone: '+49 30 555 0101' } }]);
});

describe('a job, from its reception to the invoice', () => {
  beforeAll(async () => {
    const created = await garage.send('desk', 'POST', '/entities/garage_Job', {
      number: 'J-2000',
      car: { id: TRAFIC },
      mechanic: { id: TOM },
      receivedAt: '2026-11-23T09:00:00',
      complaint: 'Clutch slips',
      parts: [{ part: { id: 'OIL-5W30' }, quantity: 5 }],
      labour: [{ task: 'Clutch', hours: '3.5', rate: '58.50' }],
    });
    expect(created.status).toBe(201);
  });

  test('its parts cost what they cost today, and the total is exact', async () => {
    const [job] = await get('desk', '/queries/garage_Job/withNumber?number=J-2000');
    expect([job.total, job.parts[0].price]).toEqual([254.5, 9.95]);
  });

  test('it cannot be invoiced before it is finished', async () => {
    const refused = await call('desk', 'invoice', 'J-2000');
    expect([refused.status, refused.json().details]).toEqual([409, 'The job J-2000 is RECEIVED, not DONE']);
  });

  test('finishing it takes the parts from the stock, once', async () => {
    expect((await call('desk', 'finish', 'J-2000')).status).toBe(204);
    expect((await call('desk', 'finish', 'J-2000')).status).toBe(409);
    expect((await get('desk', '/entities/garage_Part/OIL-5W30')).stock).toBe(55);
  });

  test('the invoice has the total, and appears in the turnover', async () => {
    expect((await call('desk', 'invoice', 'J-2000')).text).toBe('I-J-2000');
    const [job] = await get('desk', '/queries/garage_Job/withNumber?number=J-2000');
    expect([job.status, job.invoice.number]).toEqual(['INVOICED', 'I-J-2000']);
    const report = await garage.send('desk', 'POST', '/reports/run/code/turnover', {
      parameters: [
        { name: 'from', value: '2026-01-01T00:00' },
        { name: 'to', value: '2100-01-01T00:00' },
      ],
    });
    expect(report.text).toBe('"Make","Invoices","Total"\n"Renault","1","254.50"\n');
  });
});

test('a job without the parts in stock is not finished, and nothing changes', async () => {
  await garage.send('desk', 'POST', '/entities/garage_Job', {
    number: 'J-3000',
    car: { id: GOLF },
    mechanic: { id: TOM },
    receivedAt: '2026-11-23T09:00:00',
    complaint: 'Brakes',
    parts: [{ part: { id: 'BRK-100' }, quantity: 13 }],
  });
  const refused = await call('desk', 'finish', 'J-3000');
  expect([refused.status, refused.json().details]).toEqual([409, 'There are only 12 of the part BRK-100']);
  expect((await get('desk', '/entities/garage_Part/BRK-100')).stock).toBe(12);
});

test('a wrong vehicle identification number is refused in the language of the caller', async () => {
  const refused = await garage.send('desk', 'POST', '/entities/garage_Car', {
    plate: 'X 1',
    vin: 'short',
    make: 'A',
    model: 'B',
    fuel: 'PETROL',
    owner: { id: 'a0000000-0000-4000-8000-000000000001' },
  });
  expect([refused.status, refused.json()]).toMatchObject([
    400,
    [{ path: 'vin', message: 'is not a vehicle identification number', invalidValue: 'short' }],
  ]);
});
