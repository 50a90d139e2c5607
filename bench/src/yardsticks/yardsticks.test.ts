import sales from '@lintel/example-sales';
import { outboxParameters } from './order-store.ts';
import { readStatements } from './read-statements.ts';

const statements = readStatements(sales);

test('yardsticks have the statements that the platform compiles and the statement of groups, with the parameters that they give', () => {
  expect(statements.texts.R1.text).toContain('FROM "sales"."order"');
  expect(new Set(Object.values(statements.texts).map(({ name }) => name)).size).toBe(9);
  expect(statements.matching('SHIPPED', 100, 'A').slice(0, 2)).toEqual([30, '100']);
});

test('the outbox row of a yardstick has the members of the platform’s envelope', () => {
  const event = {
    entity: 'sales_Order',
    id: '1',
    change: 'updated',
    attributes: ['notes'],
    by: 'admin',
    moment: '2026-01-02T03:04:05.678',
  } as const;
  const [id, type, subject, envelope] = outboxParameters('e1', event);
  expect([id, type, subject]).toEqual(['e1', 'data.entity.changed.v1', 'sales_Order/1']);
  expect(JSON.parse(envelope ?? '')).toMatchObject({
    time: '2026-01-02T03:04:05.678Z',
    data: { change: 'updated', by: 'admin' },
  });
});
