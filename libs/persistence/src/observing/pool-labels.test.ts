import { poolLabelsOf } from './pool-labels.ts';

const POOL = { 'db.client.connection.pool.name': 'lintel-data', 'db.system.name': 'postgresql' };

test.each([
  ['postgres://u:p@db.example/shop', { 'db.namespace': 'shop', 'server.address': 'db.example', 'server.port': 5432 }],
  ['postgres://u:p@[::1]:6432/a%20b', { 'db.namespace': 'a b', 'server.address': '::1', 'server.port': 6432 }],
  ['postgres://u:p@one:5432,two:5432/shop', { 'db.namespace': 'shop' }],
  ['postgres:///shop?host=/run/postgresql', { 'db.namespace': 'shop' }],
])('the labels of a pool are those of its URL, without login: %s', (url, expected) => {
  expect(poolLabelsOf('lintel-data', url)).toEqual({ ...POOL, ...expected });
});
