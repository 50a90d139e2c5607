import { spawnSync } from 'node:child_process';

const REGISTER = new URL('../register.ts', import.meta.url).href;

test('a process that exits collects garbage first, so that no compiler thread waits for it', () => {
  const program = `process.stdout.write('ending '); process.exit(3);`;
  const options = ['--trace-gc', '--conditions=lintel-source', '--import', REGISTER, '--eval', program];
  const { status, stdout } = spawnSync(process.execPath, options, {
    encoding: 'utf8',
    env: { PATH: '', NODE_OPTIONS: '' },
  });
  expect(status).toBe(3);
  expect(stdout.slice(stdout.indexOf('ending '))).toMatch(/Mark-Compact/);
});
