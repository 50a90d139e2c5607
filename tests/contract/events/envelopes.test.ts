import { randomUUID } from 'node:crypto';
import { eventually } from '@lintel/testkit';
import { Ajv } from 'ajv';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { as, createOrder, send, tokenOf } from '../api.ts';
import {
  COMPLAINED,
  changeHandler,
  changeOrder,
  complain,
  complained,
  handlerNamed,
  notesOf,
  untilIdle,
} from './sales.ts';

interface DeadLetter {
  readonly key: string;
  readonly subject: string;
  readonly queue: string;
}
const deadLetters = async (): Promise<readonly DeadLetter[]> =>
  (await as('admin', 'GET', '/operations/dead-letters')).json().letters;
const order = (id: string): string => `/entities/sales_Order/${id}`;

/** The envelope of an event with these members, from a request with this trace. */
const envelopeOf = (members: object, traceId: string | null) => ({
  ...{ specversion: '1.0', id: expect.any(String), source: '/sales', datacontenttype: 'application/json' },
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  dataschema: expect.stringMatching(/^http.*\/rest\/docs\/asyncapi\.json#\/components\/schemas\//),
  traceparent: expect.stringContaining(`-${traceId}-`),
  ...members,
});

/** Whether the schema that an event names allows some data. */
async function isAllowed(dataschema: string, data: unknown): Promise<boolean> {
  const { pathname, hash } = new URL(dataschema);
  const headers = { authorization: `Bearer ${await tokenOf('admin')}` };
  const document = (await send('GET', pathname, { headers })).json();
  const path = decodeURIComponent(hash).slice('#/'.length).split('/');
  return new Ajv().compile(path.reduce((value, name) => value[name], document))(data) === true;
}

// Asserts contract/events.md#envelope, #handlers and #order, contract/operations.md#dead-letters.
test('an event that fails keeps no other subject waiting, and becomes a dead letter with its envelope', async () => {
  const [lost, other] = [await createOrder(), await createOrder()];
  await untilIdle('complaints');
  await changeHandler('complaints', { paused: true });
  const { headers } = await complain(lost, 'lost', 'late');
  await complained(other, 'seen', 'late');
  expect((await as('admin', 'DELETE', order(lost))).status).toBe(204);
  await changeHandler('complaints', { paused: false });
  await eventually(async () => expect(await notesOf(other)).toEqual(['late: seen']));
  const subject = `sales_Order/${lost}`;
  const letter = await eventually(async () => {
    const found = (await deadLetters()).find((each) => each.subject === subject);
    expect(found).toMatchObject({ queue: 'handler.complaints', type: COMPLAINED });
    return found as DeadLetter;
  });
  const path = `/operations/dead-letters/${letter.key}`;
  const envelope = JSON.parse((await as('admin', 'GET', path)).json().content);
  const data = { text: 'lost', reason: 'late' };
  expect(envelope).toEqual(envelopeOf({ type: COMPLAINED, subject, data }, headers.get('x-trace-id')));
  expect([await isAllowed(envelope.dataschema, data), await isAllowed(envelope.dataschema, {})]).toEqual([true, false]);
  for (const method of ['GET', 'DELETE']) expect((await as('manager', method, path)).status).toBe(403);
  expect((await as('admin', 'POST', `${order(lost)}/restore`)).status).toBe(200);
  expect((await as('admin', 'POST', `${path}/retry`)).status).toBe(204);
  await eventually(async () => expect(await notesOf(lost)).toEqual(['late: lost']));
  expect((await as('admin', 'POST', `${path}/retry`)).status).toBe(404);
  expect(await handlerNamed('complaints')).toMatchObject({ deadLetters: 0 });
});

/** With five processes: the broker of the services, and the one that applications share. */
const { LINTEL_BROKER_URL: BROKER, LINTEL_EXCHANGE_URL: EXCHANGE } = process.env;

if (BROKER !== undefined && EXCHANGE !== undefined)
  describe('at a broker', () => {
    const connections: ChannelModel[] = [];
    const open = async (url: string): Promise<Channel> => {
      const connection = await connect(url);
      connections.push(connection);
      return connection.createChannel();
    };
    afterAll(() => Promise.all(connections.map((connection) => connection.close())));

    // Asserts contract/events.md#envelope, #publish, #order and #other-applications.
    test('an own queue gets what was committed, in the order of a subject, as CloudEvents', async () => {
      const id = await createOrder();
      await complained(id, 'before');
      await eventually(async () => expect(await notesOf(id)).toHaveLength(1));
      const received = await Promise.all(
        [BROKER, EXCHANGE].map(async (url) => {
          const channel = await open(url);
          const { queue } = await channel.assertQueue('', { exclusive: true });
          await channel.bindQueue(queue, 'sales.events', COMPLAINED);
          const messages: { envelope: { id: string; subject: string; data: unknown }; contentType: unknown }[] = [];
          await channel.consume(queue, (message) => {
            if (message === null) return;
            const envelope = JSON.parse(message.content.toString());
            if (envelope.subject !== `sales_Order/${id}`) return;
            expect(message.fields).toMatchObject({ exchange: 'sales.events', routingKey: COMPLAINED });
            messages.push({ envelope, contentType: message.properties.contentType });
          });
          return messages;
        }),
      );
      const { headers } = await complain(id, 'one', 'late');
      expect((await complain(id, 'rehearsed', 'late', { prefer: 'tx=rollback' })).status).toBe(200);
      await complained(id, 'of the first version');
      for (const text of ['two', 'three']) await complained(id, text, 'late');
      for (const messages of received) {
        await eventually(() => expect(new Set(messages.map(({ envelope }) => envelope.id)).size).toBe(3));
        const data = ['one', 'two', 'three'].map((text) => ({ text, reason: 'late' }));
        expect(messages.map(({ envelope }) => envelope.data)).toEqual(data);
        const members = { type: COMPLAINED, subject: `sales_Order/${id}`, data: data[0] };
        expect(messages[0]).toEqual({
          envelope: envelopeOf(members, headers.get('x-trace-id')),
          contentType: 'application/cloudevents+json',
        });
      }
    });

    const shipmentOf = (id: string, state: unknown, members: object = {}) => ({
      ...{ specversion: '1.0', id: randomUUID(), source: '/dispatch', type: 'dispatch.shipment-changed.v1' },
      ...{ subject: `sales_Order/${id}`, time: new Date().toISOString(), datacontenttype: 'application/json' },
      data: { state },
      ...members,
    });

    // Asserts contract/events.md#other-applications.
    test('an event of another application is handled once, and one that cannot be is a dead letter', async () => {
      const channel = await open(EXCHANGE);
      const publish = (envelope: { type: string }) =>
        channel.publish('dispatch.events', envelope.type, Buffer.from(JSON.stringify(envelope)), {
          contentType: 'application/cloudevents+json',
        });
      const statusOf = async (id: string) => (await as('admin', 'GET', order(id))).json().status;
      const [id, other] = [await createOrder({ status: 'CONFIRMED' }), await createOrder({ status: 'CONFIRMED' })];
      const shipped = shipmentOf(id, 'SHIPPED');
      publish(shipped);
      await eventually(async () => expect(await statusOf(id)).toBe('SHIPPED'));
      await changeOrder(id, { status: 'CONFIRMED' });
      publish(shipped);
      publish(shipmentOf(other, 5));
      publish(shipmentOf(other, 'SHIPPED', { source: '/stranger', subject: 'of a stranger' }));
      publish(shipmentOf(other, 'REFUSED'));
      await eventually(async () => expect(await statusOf(other)).toBe('NEW'));
      expect(await statusOf(id)).toBe('CONFIRMED');
      const letters = (await deadLetters()).filter(({ queue }) => queue === 'handler.shipments');
      expect(letters).toEqual([expect.objectContaining({ subject: `sales_Order/${other}` })]);
      expect((await as('admin', 'DELETE', `/operations/dead-letters/${letters[0]?.key}`)).status).toBe(204);
      await eventually(async () => {
        const message = await channel.get('sales.dead-letters', { noAck: true });
        expect(message && JSON.parse(message.content.toString()).subject).toBe('of a stranger');
      });
    });
  });
