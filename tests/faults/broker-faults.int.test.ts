import { faultDurationsMs } from './fault-length.ts';
import { proveThrough } from './prove-through.ts';
import { startFaultSystem } from './system/fault-system.ts';

const system = await startFaultSystem();
const { broker, wires } = system;
afterAll(() => system.dispose());

test('while the network to the broker swallows everything, all goes on, and the events follow', async () => {
  // Longer than two heartbeats, after which the connection counts as lost.
  for (const durationMs of faultDurationsMs()) {
    const { refusals } = await proveThrough(system, {
      name: 'broker partitioned',
      durationMs,
      begin: () => wires.broker.freeze(),
      end: () => wires.broker.restore(),
    });
    expect(refusals).toEqual({});
  }
}, 600_000);

test('while the broker is down everything goes on, and its events follow', async () => {
  for (const durationMs of faultDurationsMs()) {
    const { refusals } = await proveThrough(system, {
      name: 'broker down',
      durationMs,
      begin: () => broker.kill(),
      end: () => broker.start(),
    });
    expect(refusals).toEqual({});
  }
}, 600_000);
