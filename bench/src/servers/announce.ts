import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What the benchmark sends to a server process. */
export type ServerCommand =
  | { readonly command: 'stop' }
  | { readonly command: 'start-watch' }
  | { readonly command: 'end-watch' }
  | { readonly command: 'collect-when-idle' }
  | { readonly command: 'start-profile' }
  | { readonly command: 'write-profile'; readonly file: string };

/** What a server process sends to the benchmark. */
export interface ServerNotice {
  /** Requests can come, at this address. */
  readonly url?: string;
  /** A token that it issued, where it has an auth service. */
  readonly token?: string | undefined;
  /** The command was carried out. */
  readonly done?: true;
  /** The response to `end-watch`. */
  readonly watched?: Watched;
}

/** What a process notices of itself while it is watched. */
export interface Watched {
  /** How late timers were: 99 of 100 less than this. */
  readonly loopLagP99Ms: number;
}

/** Timers come once in this time, so that watching costs nothing that could be measured. */
const LAG_RESOLUTION_MS = 10;
const NANOS_PER_MS = 1e6;

const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });

function endWatch(): Watched {
  lag.disable();
  // The histogram holds the time from timer to timer.
  return { loopLagP99Ms: Math.max(0, lag.percentile(99) / NANOS_PER_MS - LAG_RESOLUTION_MS) };
}

const session = new Session();

async function obey(command: ServerCommand): Promise<Omit<ServerNotice, 'url' | 'done'>> {
  switch (command.command) {
    case 'stop':
      return process.exit();
    case 'start-watch':
      lag.reset();
      lag.enable();
      return {};
    case 'end-watch':
      return { watched: endWatch() };
    case 'collect-when-idle': {
      // Loaded by servers of ours alone.
      const { collectWhenIdle } = await import('@lintel/telemetry');
      collectWhenIdle();
      return {};
    }
    case 'start-profile':
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.start');
      return {};
    case 'write-profile': {
      const { profile } = await session.post('Profiler.stop');
      writeFileSync(command.file, JSON.stringify(profile));
      session.disconnect();
      return {};
    }
    default:
      return command satisfies never;
  }
}

/** Sends the benchmark a message when requests can come; ends when the benchmark says so or has ended. */
export function announce(url: string, token?: string): void {
  const send = (notice: ServerNotice): void => void process.send?.(notice);
  process.on('message', (command: ServerCommand) => {
    obey(command).then(
      (notice) => send({ done: true, ...notice }),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.on('disconnect', () => process.exit());
  send({ url, token });
}
