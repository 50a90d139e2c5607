import { Agent } from 'node:http';
import { createCallMetrics } from '@lintel/http-client';
import { KeptConnections } from '@lintel/http-client/kept-connections';
import { type Health, Replica } from './replica.ts';

const create = (isFallback = false) => {
  const changes: Health[] = [];
  let ends = 0;
  const replica = new Replica({
    target: 'http://10.0.0.1:8082',
    isFallback,
    agent: new Agent(),
    connections: new KeptConnections({ target: 'http://10.0.0.1:8082', connectTimeoutMs: 1_000 }),
    calls: createCallMetrics(),
    maxConnections: 1,
    onChange: (health) => changes.push(health),
    onEnd: () => {
      ends += 1;
    },
  });
  return { replica, changes, ends: () => ends };
};

test('of two replicas with the same state the one with fewer requests is used', () => {
  const [{ replica: one }, { replica: other }] = [create(), create()];
  const end = one.begin();
  expect([other.isBetterThan(one), one.isBetterThan(other)]).toEqual([true, false]);
  end();
  end();
  expect([one.inFlight, one.isBetterThan(other), other.isBetterThan(one)]).toEqual([0, false, false]);
});

test('a load balancer is used while no replica is as healthy, whatever their requests', () => {
  const [{ replica }, { replica: fallback }] = [create(), create(true)];
  replica.begin();
  expect([replica.isBetterThan(fallback), fallback.isBetterThan(replica)]).toEqual([true, false]);
  replica.refused(0);
  expect([replica.isBetterThan(fallback), fallback.isBetterThan(replica)]).toEqual([false, true]);
});

test('a replica is full while every connection is in use, and reports the end of each request once', () => {
  const { replica, ends } = create();
  expect(replica.isFull).toBe(false);
  const end = replica.begin();
  expect([replica.isFull, ends()]).toEqual([true, 0]);
  end();
  end();
  expect([replica.isFull, ends()]).toEqual([false, 1]);
});

test('health counts more than load: ready before not ready before unreachable', () => {
  const [{ replica: busy }, { replica: closing }, { replica: gone }] = [create(), create(), create()];
  for (let each = 0; each < 100; each += 1) busy.begin();
  closing.closing();
  gone.refused(0);
  expect([busy.isBetterThan(closing), closing.isBetterThan(gone), gone.isBetterThan(busy)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('a check brings a replica back, but not before its ban is over, which doubles each time', () => {
  const { replica, changes } = create();
  let nowMs = 0;
  for (const banMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    replica.refused(nowMs);
    replica.beginCheck()('ready', nowMs + banMs - 1);
    expect(replica.health).toBe('unreachable');
    nowMs += banMs;
    replica.beginCheck()('ready', nowMs);
    expect(replica.health).toBe('ready');
  }
  replica.responded();
  replica.refused(nowMs);
  replica.beginCheck()('ready', nowMs + 1_000);
  expect(replica.health).toBe('ready');
  expect(new Set(changes)).toEqual(new Set(['unreachable', 'ready']));
});

test('the result of a check is ignored where the state has changed since it began', () => {
  const { replica } = create();
  const reportResult = replica.beginCheck();
  replica.closing();
  reportResult('ready', 0);
  expect(replica.health).toBe('not ready');
  replica.beginCheck()('ready', 0);
  expect(replica.health).toBe('ready');
});
