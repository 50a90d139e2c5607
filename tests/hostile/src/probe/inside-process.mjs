/**
 * Loaded before each process of the system (`--import`). Measures its event loop and reports at a socket in the folder
 * `LINTEL_HOSTILE_SOCKETS`: each line that is sent is `read`, `collect`, or `release`, which also returns freed pages to
 * the system, and gets a line of JSON.
 * `maxBlockMs` is the longest time that the event loop was late since the reading before, `maxBusyMs` the longest in
 * processor time.
 */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.LINTEL_HOSTILE_SOCKETS;
const RESOLUTION_MS = 10;

function observe() {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const busy = observeBusy();
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const read = () => {
    const { max } = delays;
    delays.reset();
    const maxBusyMs = busy.read();
    const { rss, heapUsed, external } = process.memoryUsage();
    return { maxBlockMs: Math.max(0, max / 1e6 - RESOLUTION_MS), maxBusyMs, rss, heapUsed, external };
  };
  const server = createServer((socket) => {
    socket.unref();
    socket.on('error', () => undefined);
    createInterface({ input: socket })
      .on('error', () => undefined)
      .on('line', (line) => {
        if (line === 'collect') collectGarbage();
        if (line === 'release') collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
        socket.write(`${JSON.stringify(read())}\n`);
        // The collection itself is no finding.
        if (line !== 'read') setImmediate(() => setImmediate(read));
      });
  });
  server.on('error', () => undefined);
  server.listen(join(folder, `${process.pid}.sock`));
  server.unref();
}

/** The longest processor time of this thread between two runs of a timer. */
function observeBusy() {
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let beforeMs = usedMs();
  let maxMs = 0;
  const observeInterval = () => {
    const nowMs = usedMs();
    maxMs = Math.max(maxMs, nowMs - beforeMs - RESOLUTION_MS);
    beforeMs = nowMs;
  };
  setInterval(observeInterval, RESOLUTION_MS).unref();
  return {
    read() {
      observeInterval();
      const result = maxMs;
      maxMs = 0;
      return result;
    },
  };
}

if (folder !== undefined && isMainThread) observe();
