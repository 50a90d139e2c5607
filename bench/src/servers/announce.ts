import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/** What the benchmark tells a server process. */
export type ServerCommand =
  | { readonly command: 'stop' }
  | { readonly command: 'start-profile' }
  | { readonly command: 'write-profile'; readonly file: string };

/** What a server process tells the benchmark. */
export interface ServerNotice {
  /** Requests can come, at this address. */
  readonly url?: string;
  /** The command was carried out. */
  readonly done?: true;
}

const session = new Session();

async function obey(command: ServerCommand): Promise<void> {
  switch (command.command) {
    case 'stop':
      return process.exit();
    case 'start-profile':
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.start');
      return;
    case 'write-profile': {
      const { profile } = await session.post('Profiler.stop');
      writeFileSync(command.file, JSON.stringify(profile));
      session.disconnect();
      return;
    }
    default:
      command satisfies never;
  }
}

/** Tells the benchmark that requests can come, and ends when the benchmark says so or is gone. */
export function announce(url: string): void {
  const tell = (notice: ServerNotice): void => void process.send?.(notice);
  process.on('message', (command: ServerCommand) => {
    obey(command).then(
      () => tell({ done: true }),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.on('disconnect', () => process.exit());
  tell({ url });
}
