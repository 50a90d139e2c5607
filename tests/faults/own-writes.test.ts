import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram } from '@lintel/testkit';
import { proveOwnWrites } from './load/prove-own-writes.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STANDALONE = join(ROOT, 'deploy/standalone/src/main.ts');

test('a client of one process sees its own changes in the next request', async () => {
  const home = await mkdtemp(join(tmpdir(), 'lintel-own-writes-'));
  const system = await startProgram(STANDALONE, [], {
    cwd: ROOT,
    variables: { LINTEL_HOME: join(home, 'home') },
  });
  try {
    await system.ready();
    await proveOwnWrites([system.url]);
  } finally {
    await system.stop();
    await rm(home, { recursive: true, force: true });
  }
}, 240_000);
