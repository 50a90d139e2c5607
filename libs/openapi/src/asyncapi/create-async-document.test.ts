import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { event, onEvent } from '@lintel/application';
import { Ajv } from 'ajv';
import { createAsyncDocument } from './create-async-document.ts';

const confirmed = event('c.visit-confirmed.v1', {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { visit: { $ref: '#/definitions/id' } },
  definitions: { id: { type: 'string', format: 'uuid' } },
});
const placed = event('sales.placed.v1', { type: 'object' }, { source: '/sales' });
const application = {
  ...{ id: 'c', name: 'Clinic', version: '1.2.0', events: [confirmed] },
  eventHandlers: [
    onEvent(confirmed, { name: 'remind', as: 'robot' }, () => undefined),
    onEvent(placed, { name: 'order', as: 'robot' }, () => undefined),
    onEvent({ entity: 'c_Visit' }, { name: 'watch', as: 'robot' }, () => undefined),
  ],
};

test('the document is valid by the schema of AsyncAPI 3.0', () => {
  const path = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json');
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(readFileSync(path, 'utf8')));
  const document = createAsyncDocument(application);
  expect([validate(document), validate.errors]).toEqual([true, null]);
});

test('events of the application have their schema, whose references lead from the root of the document', () => {
  const { components, channels } = createAsyncDocument(application);
  const sourceOf = (type: string) => components.messages[type]?.payload.allOf[1]?.properties?.['source'];
  expect(sourceOf('c.visit-confirmed.v1')).toEqual({ const: '/c' });
  expect(sourceOf('sales.placed.v1')).toEqual({ const: '/sales' });
  expect(sourceOf('data.user.changed.v1')).toEqual({ const: '/lintel/data' });
  expect(components.schemas['c.visit-confirmed.v1']).toEqual({
    type: 'object',
    properties: { visit: { $ref: '#/components/schemas/c.visit-confirmed.v1/definitions/id' } },
    definitions: { id: { type: 'string', format: 'uuid' } },
  });
  expect(channels).toMatchObject({
    'c.visit-confirmed.v1': { bindings: { amqp: { exchange: { name: 'c.events', type: 'topic' } } } },
    'data.user.changed.v1': { bindings: { amqp: { exchange: { name: 'data.events' } } } },
  });
});

test('handlers receive their events, events of other applications and changes of entities', () => {
  const { operations, channels, components } = createAsyncDocument(application);
  expect(operations).not.toHaveProperty(['send.sales.placed.v1']);
  expect(channels).toMatchObject({ 'sales.placed.v1': { bindings: { amqp: { exchange: { name: 'sales.events' } } } } });
  expect(components.schemas).toHaveProperty(['sales.placed.v1'], { type: 'object' });
  expect(operations).toMatchObject({
    'receive.order': { action: 'receive', channel: { $ref: '#/channels/sales.placed.v1' } },
    'send.c.visit-confirmed.v1': { action: 'send' },
    'receive.remind': { action: 'receive', channel: { $ref: '#/channels/c.visit-confirmed.v1' } },
    'receive.watch': { action: 'receive', channel: { $ref: '#/channels/data.entity.changed.v1' } },
  });
});

test('a limited document has neither other events of the application nor their handlers', () => {
  const document = createAsyncDocument(application, () => false);
  expect(JSON.stringify(document)).not.toMatch(/visit-confirmed|remind|watch|sales|order/);
  expect(document.components.schemas).toHaveProperty(['data.user.changed.v1']);
});
