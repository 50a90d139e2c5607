import { createRights } from '@lintel/react';
import { readingRights } from './reading-rights.ts';

test('a session for reading offers no changes, and downloads alone of what is named', () => {
  const rights = readingRights(
    createRights({
      authorities: ['r'],
      entities: ['t_Car:read', 't_Car:update'].map((target) => ({ target, value: 1 as const })),
      entityAttributes: [{ target: 't_Car:vin', value: 2 }],
      specifics: ['rest.fileDownload.enabled', 'rights.view', 'jobs.read.nightly'].map((target) => ({
        target,
        value: 1 as const,
      })),
    }),
  );
  expect([rights.may('t_Car', 'read'), rights.may('t_Car', 'update')]).toEqual([true, false]);
  expect([rights.mayView('t_Car', 'vin'), rights.mayModify('t_Car', 'vin')]).toEqual([true, false]);
  expect([rights.has('rest.fileDownload.enabled'), rights.has('rights.view')]).toEqual([true, false]);
  expect([rights.hasAny('jobs.read'), rights.hasAny('rest.fileDownload.enabled')]).toEqual([false, true]);
});
