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
const application = {
  ...{ id: 'c', name: 'Clinic', version: '1.2.0', events: [confirmed] },
  eventHandlers: [
    onEvent(confirmed, { name: 'remind', as: 'robot' }, () => undefined),
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

test('handlers receive their events, and changes of entities', () => {
  const { operations } = createAsyncDocument(application);
  expect(operations).toMatchObject({
    'send.c.visit-confirmed.v1': { action: 'send' },
    'receive.remind': { action: 'receive', channel: { $ref: '#/channels/c.visit-confirmed.v1' } },
    'receive.watch': { action: 'receive', channel: { $ref: '#/channels/data.entity.changed.v1' } },
  });
});

test('a limited document has neither other events of the application nor their handlers', () => {
  const document = createAsyncDocument(application, () => false);
  expect(JSON.stringify(document)).not.toMatch(/visit-confirmed|remind|watch/);
  expect(document.components.schemas).toHaveProperty(['data.user.changed.v1']);
});
