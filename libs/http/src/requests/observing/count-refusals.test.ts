import type { ServerResponse } from 'node:http';
import type { Principal } from '@lintel/contracts';
import type { SecurityFacts } from '@lintel/telemetry';
import { setPrincipal } from '../context/request-state.ts';
import { countRefusals } from './count-refusals.ts';

const responseTo = (username: string): ServerResponse => {
  const response = {} as ServerResponse;
  setPrincipal(response, { username, clientId: 'client' } as Principal);
  return response;
};

test('a user who is refused a hundred times within a minute is recorded once in it', () => {
  let nowMs = 0;
  const recorded: (SecurityFacts & { name: string })[] = [];
  const security = { record: (name: string, facts: SecurityFacts) => recorded.push({ name, ...facts }), close() {} };
  const refused = countRefusals(security, () => nowMs);
  for (let at = 0; at < 150; at += 1) refused(responseTo('anna'));
  for (let at = 0; at < 99; at += 1) refused(responseTo('bert'));
  refused({} as ServerResponse);
  const expected = { name: 'access.refused', username: 'anna', clientId: 'client', amount: 100 };
  expect(recorded).toEqual([expected]);
  nowMs = 60_000;
  for (let at = 0; at < 100; at += 1) refused(responseTo('anna'));
  expect(recorded).toEqual([expected, expected]);
});
