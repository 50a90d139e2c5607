import sales from '@lintel/example-sales';
import type { ReplayOptions } from './events.command.ts';
import { readSelection } from './read-selection.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const read = (options: Partial<ReplayOptions>) => readSelection({ since: '2h', wait: true, ...options }, sales, NOW);

test.each([
  ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00+01:00', '2026-11-21T09:00:00.000Z'],
  ['90m', '2026-11-21T10:30:00.000Z'],
  ['1d', '2026-11-20T12:00:00.000Z'],
  ['PT1H', '2026-11-21T11:00:00.000Z'],
])('--since %s is a moment', (since, expected) => {
  expect(read({ since }).since.toISOString()).toBe(expected);
});

test('what is named restricts, and changes of an entity are of one type', () => {
  expect(read({})).toMatchObject({ until: undefined, types: undefined, entities: undefined, subjects: undefined });
  expect(read({ until: '1h', type: ['data.user.changed.v1'], subject: ['clerk'] })).toMatchObject({
    until: new Date('2026-11-21T11:00:00Z'),
    types: ['data.user.changed.v1'],
    subjects: ['clerk'],
  });
  expect(read({ entity: ['sales_Order'] })).toMatchObject({
    types: ['data.entity.changed.v1'],
    entities: ['sales_Order'],
  });
});

test.each<[Partial<ReplayOptions>, string]>([
  [{ since: 'yesterday' }, '--since yesterday is no time'],
  [{ since: '3600' }, '--since 3600 is no time'],
  [{ since: '2026-11-21' }, '--since 2026-11-21 is no time'],
  [{ since: '2026-11-21T10:00:00' }, '--since 2026-11-21T10:00:00 is no time'],
  [{ since: '2026-02-30T10:00:00Z' }, '--since 2026-02-30T10:00:00Z is no time'],
  [{ since: '2026-11-21T25:00:00Z' }, '--since 2026-11-21T25:00:00Z is no time'],
  [{ since: '2026-13-01T10:00:00Z' }, '--since 2026-13-01T10:00:00Z is no time'],
  [{ since: '2026-11-21T12:00:01Z' }, 'is not in the past'],
  [{ since: '0s' }, 'is not in the past'],
  [{ until: 'soon' }, '--until soon is no time'],
  [{ until: '2h' }, '--until 2h is not after --since 2h'],
  [{ type: ['data.user.changed'] }, 'The outbox has no events of type data.user.changed. There are data.entity'],
  [{ type: ['auth.session.ended.v1'] }, 'The outbox has no events of type auth.session.ended.v1'],
  [{ entity: ['sales_Ordr'] }, 'There is no entity sales_Ordr. There are '],
  [{ entity: ['sales_Order'], subject: ['sales_Order/1'] }, '--entity and --subject exclude each other'],
  [{ entity: ['sales_Order'], type: ['data.user.changed.v1'] }, 'Only events of type data.entity.changed.v1'],
])('%j makes no sense', (options, problem) => {
  expect(() => read(options)).toThrow(problem);
});
