import { readdirSync, readFileSync } from 'node:fs';
import type { Channel } from 'amqplib';
import { declareWorkQueue } from './topology.ts';

const folder = new URL('./', import.meta.url);

test('exchanges, queues and bindings are declared in one file', () => {
  const declaring = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    .filter((name) => /\.(assert|bind)(Exchange|Queue)\(/.test(readFileSync(new URL(name, folder), 'utf8')));
  expect(declaring).toEqual(['topology.ts']);
});

test('queues that are declared together on one connection share what both need', async () => {
  const declared: string[] = [];
  const connection = {};
  const openChannel = () => {
    const declare = async (name: string) => {
      declared.push(name);
      return { queue: name };
    };
    return {
      connection,
      assertExchange: declare,
      assertQueue: declare,
      bindQueue: async () => {},
    } as unknown as Channel;
  };
  const declareTwo = () =>
    Promise.all(['one', 'two'].map((name) => declareWorkQueue(openChannel(), 'test', name, ['data.user.changed.v1'])));
  expect(await declareTwo()).toEqual(['test.one', 'test.two']);
  expect(declared.filter((name) => ['data.events', 'test.dlx'].includes(name)).sort()).toEqual([
    'data.events',
    'test.dlx',
  ]);
  // Later ones do not rely on what was declared before: it may have been removed.
  await declareTwo();
  expect(declared.filter((name) => name === 'data.events')).toHaveLength(2);
});
