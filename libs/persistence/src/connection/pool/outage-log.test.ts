import { OutageLog } from './outage-log.ts';

const REFUSED = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
const ENDED = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });

function logged() {
  const lines: string[] = [];
  const write = (fields: object, message: string) => lines.push(`${message} ${JSON.stringify(fields)}`);
  return { lines, log: new OutageLog('lintel-data', { info: write, warn: write }) };
}

test('an outage is one line for the lost connections, one for the refused ones, and one for its end', () => {
  const { lines, log } = logged();
  log.connected();
  for (let connection = 0; connection < 10; connection += 1) log.lost(ENDED);
  for (let request = 0; request < 50; request += 1) log.failed(REFUSED);
  log.lost(ENDED);
  log.connected();
  log.connected();
  expect(lines.map((line) => line.replace(/"err":\{[^}]*\}/, '"err":…'))).toEqual([
    'Idle database connections were lost {"err":…,"pool":"lintel-data"}',
    'The database cannot be reached {"err":…,"pool":"lintel-data"}',
    'The database can be reached again {"pool":"lintel-data"}',
  ]);
});

test('each outage has its lines', () => {
  const { lines, log } = logged();
  for (let outage = 0; outage < 2; outage += 1) {
    log.lost(ENDED);
    log.failed(REFUSED);
    log.connected();
  }
  expect(lines).toHaveLength(6);
});

test('a caller that waited in vain for a connection in use says nothing about the server', () => {
  const { lines, log } = logged();
  log.failed(new Error('timeout exceeded when trying to connect'));
  log.connected();
  expect(lines).toEqual([]);
});

test('a server that does not respond to a new connection cannot be reached', () => {
  const { lines, log } = logged();
  log.failed(new Error('Connection terminated due to connection timeout'));
  expect(lines).toHaveLength(1);
});
