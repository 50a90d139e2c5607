import { EVENTS, type EventType, ownerOf } from '@lintel/contracts';
import { createEnvelope } from './create-envelope.ts';
import { decodeEnvelope, encodeEnvelope } from './delivery/envelope-codec.ts';

const parts = { id: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11', time: new Date('2026-11-21T10:00:00.123Z') };

test('an envelope is a CloudEvents 1.0 event in JSON form', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(
    createEnvelope({
      ...parts,
      owner: 'data',
      type: 'data.user.changed.v1',
      subject: 'clerk',
      data: { username: 'clerk', change: 'updated' },
      traceparent,
    }),
  ).toEqual({
    specversion: '1.0',
    id: parts.id,
    source: '/lintel/data',
    type: 'data.user.changed.v1',
    subject: 'clerk',
    time: '2026-11-21T10:00:00.123Z',
    datacontenttype: 'application/json',
    traceparent,
    data: { username: 'clerk', change: 'updated' },
  });
});

test('optional members that were not given are absent, not null', () => {
  const envelope = createEnvelope({ ...parts, owner: 'data', type: 'data.roles.changed.v1', data: {} });
  expect(Object.keys(envelope)).toEqual(['specversion', 'id', 'source', 'type', 'time', 'datacontenttype', 'data']);
});

test.each(Object.keys(EVENTS) as EventType[])('the stored example of %s survives the way over the wire', (type) => {
  const envelope = createEnvelope({ ...parts, owner: ownerOf(type), type, data: EVENTS[type].example as never });
  expect(decodeEnvelope(encodeEnvelope(envelope))).toEqual({ envelope });
});

test('data that does not match the type, a foreign type and a missing id are refused', () => {
  const user = { ...parts, owner: 'data', type: 'data.user.changed.v1' } as const;
  const refused = expect.objectContaining({ code: 'INTERNAL_ERROR' });
  const data = { username: 'clerk', change: 'updated' } as const;
  expect(() => createEnvelope({ ...user, data: { username: 'clerk' } as never })).toThrow(refused);
  expect(() => createEnvelope({ ...user, owner: 'auth', data })).toThrow(refused);
  expect(() => createEnvelope({ ...user, id: '', data })).toThrow(refused);
});
