/** `lintel dev`: the application of the current folder; its services start again after each change. */
import { resolve } from 'node:path';
import { environment } from '@lintel/config/environment';
import { DevelopmentServer } from './development-server.ts';

const DEFAULT_PORT = 8080;

const variables = environment();
const show = (text: string): void => void process.stdout.write(`${text}\n`);

const canConfirm = process.stdin.isTTY === true;

const server = new DevelopmentServer({
  folder: process.cwd(),
  home: resolve(variables['LINTEL_HOME'] ?? '.lintel'),
  defaultPort: Number(variables['PORT'] ?? DEFAULT_PORT),
  startedAt: Number(variables['LINTEL_STARTED_AT'] ?? Date.now()),
  show,
  isTerminal: process.stdout.isTTY === true,
  canConfirm,
  onDatabaseEnded() {
    process.stderr.write(
      '\nThe database has ended by itself; its log is postgres.log in the folder of its data. Stopping.\n',
    );
    process.exitCode = 1;
    void stop();
  },
});
let stopping: Promise<void> | undefined;
const stop = (): Promise<void> =>
  (stopping ??= server.stop().then(() => {
    show('Stopped');
    process.exit();
  }));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopping === undefined) show('\nStopping');
    void stop();
  });
if (canConfirm) process.stdin.on('data', () => server.confirm());
server.begin();
