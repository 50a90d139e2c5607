import { mkdirSync } from 'node:fs';
import { createMemoryStore } from '@lintel/cache';
import { createLogger } from '@lintel/telemetry';
import { monotonicClock } from '@lintel/timing';
import { claimHome } from '../instance-claim.ts';
import { type OpenedDatabase, openDatabase } from '../open-database.ts';
import { urlOf } from '../standalone-configuration.ts';
import { createTypeChecker } from './check-types.ts';
import { createFront } from './front.ts';
import type { FromWorker } from './messages.ts';
import { runCall } from './store-calls.ts';
import { watchFolder } from './watch-folder.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

/** A worker that ends earlier would end again and again. */
const STABLE_MS = 1_000;
/** The requests that have waited for the start are served first. */
const SETTLING_MS = 500;
const CLEAR_SCREEN = '\u001b[2J\u001b[3J\u001b[H';

type Configured = Extract<FromWorker, { kind: 'configured' }>;

export interface DevelopmentOptions {
  /** Folder of the application. */
  readonly folder: string;
  /** Folder of database, files and secrets. */
  readonly home: string;
  /** Port of the error page if the application cannot be loaded at the first start. */
  readonly defaultPort: number;
  /** When the command began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly show: (text: string) => void;
  /** Whether `show` writes to a terminal, which is cleared before each report. */
  readonly isTerminal: boolean;
  /** Whether the input is a terminal, where a user can press Enter; input of a pipe is not a confirmation. */
  readonly canConfirm: boolean;
  /** Called when the database has ended by itself. */
  readonly onDatabaseEnded: () => void;
}

/**
 * Serves an application while it is developed. The listener, the database and the keys (sessions, tokens) stay; after a
 * change of a file, the services start again in a process that has loaded the platform before. Requests that arrive
 * meanwhile wait. While the application does not start, they return 503 with the reason.
 */
export class DevelopmentServer {
  readonly #options: DevelopmentOptions;
  readonly #front = createFront();
  readonly #store = createMemoryStore({ clock: monotonicClock });
  readonly #types: ReturnType<typeof createTypeChecker>;
  readonly #watch: ReturnType<typeof watchFolder>;
  #database: OpenedDatabase | undefined;
  #url: string | undefined;
  #current: WorkerProcess | undefined;
  #next: WorkerProcess | undefined;
  /** Prepares the next worker and checks the types, after a start. */
  #settling: NodeJS.Timeout | undefined;
  #changed: readonly string[] = [];
  #beganAt: number;
  #hasStarted = false;
  /** Whether the home folder is that of this process. */
  #isClaimed = false;
  #isStopped = false;

  constructor(options: DevelopmentOptions) {
    this.#options = options;
    this.#beganAt = options.startedAt;
    mkdirSync(options.home, { recursive: true });
    this.#types = createTypeChecker(options.folder);
    this.#watch = watchFolder(options.folder, {
      ignored: options.home,
      onChange: (files) => {
        this.#beganAt = Date.now();
        this.#start(files);
      },
    });
  }

  /** Starts the application. */
  begin(): void {
    this.#start([]);
  }

  /** The user confirms what the worker has asked; ignored if it has asked nothing. */
  confirm(): void {
    this.#current?.send({ kind: 'confirmed' });
  }

  /** Stops the services and the database. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#watch.close();
    this.#types.cancel();
    clearTimeout(this.#settling);
    await Promise.all([this.#current?.stop(), this.#next?.stop(), this.#front.close()]);
    await this.#database?.stop();
  }

  /** Replaces the current worker. */
  #start(changed: readonly string[]): void {
    if (this.#isStopped) return;
    this.#changed = changed;
    this.#types.cancel();
    clearTimeout(this.#settling);
    this.#front.leadTo({ kind: 'waiting' });
    void this.#current?.stop();
    this.#current = this.#next ?? this.#prepare();
    this.#next = undefined;
    this.#current.start();
  }

  /** A worker that loads the platform and waits. */
  #prepare(): WorkerProcess {
    let startedAt: number | undefined;
    const worker: WorkerProcess = startWorker(
      (message) => {
        if (message.kind === 'started') startedAt = Date.now();
        this.#receive(worker, message).catch((error: unknown) => this.#failed(worker, String(error)));
      },
      (how) => {
        if (this.#next === worker) this.#next = undefined;
        else if (startedAt !== undefined && Date.now() - startedAt > STABLE_MS) this.#start([]);
        else this.#failed(worker, `The process of the application has ended (${how}).`);
      },
    );
    return worker;
  }

  async #receive(worker: WorkerProcess, message: FromWorker): Promise<void> {
    if (message.kind === 'call') worker.send(await runCall(this.#store, message));
    else if (worker !== this.#current) return;
    else if (message.kind === 'configured') await this.#configured(worker, message);
    else if (message.kind === 'failed') this.#failed(worker, message.text);
    else if (message.kind === 'unconfirmed') {
      const way = this.#options.canConfirm ? 'Press Enter to run them, or run' : 'To run them, run';
      const text = `${message.text}\n${way} "lintel migrate run".`;
      this.#front.leadTo({ kind: 'failed', text });
      this.#options.show(`\n${text}\n`);
    } else if (message.kind === 'started') {
      this.#front.leadTo({ kind: 'running', port: message.port });
      this.#report(this.#hasStarted ? (message.banner.split('\n\n  Requests')[0] ?? '') : message.banner, 'ready');
      this.#hasStarted = true;
    }
  }

  async #configured(worker: WorkerProcess, configured: Configured): Promise<void> {
    const { home } = this.#options;
    const url = urlOf(configured);
    if (!this.#isClaimed) claimHome(home, this.#url ?? url);
    this.#isClaimed = true;
    if (this.#url === undefined) {
      await this.#front.listen(configured.port, configured.host);
      this.#url = url;
    }
    this.#database ??= await this.#open(configured);
    const { url: databaseUrl, isOwn, description, secrets } = this.#database;
    const database = { url: databaseUrl, isOwn, description, secrets: secrets.properties };
    worker.send({ kind: 'database', home, url: this.#url, database });
  }

  async #open({ databaseUrl, connection }: Configured): Promise<OpenedDatabase> {
    const logger = createLogger({ service: 'standalone', level: 'warn', pretty: true });
    const onProgress = (step: string): void => this.#options.show(`  ${step}`);
    const { home } = this.#options;
    const database = await openDatabase({ home, configuredUrl: databaseUrl, connection, logger, onProgress });
    void database.ended.then(() => this.#isStopped || this.#options.onDatabaseEnded());
    return database;
  }

  #failed(worker: WorkerProcess, text: string): void {
    if (worker !== this.#current || this.#isStopped) return;
    this.#current = undefined;
    void worker.stop();
    this.#front.leadTo({ kind: 'failed', text });
    this.#report(`\nThe application does not start. Requests are 503 until it does.\n\n${text}\n`, 'failed');
    if (this.#url === undefined) this.#listenWithoutApplication();
  }

  /** The page with the error is at the default address. */
  #listenWithoutApplication(): void {
    const { defaultPort, show } = this.#options;
    this.#front.listen(defaultPort, '127.0.0.1').then(
      () => {
        this.#url = `http://localhost:${defaultPort}`;
      },
      (error: unknown) => show(`The error page cannot be served: ${String(error)}`),
    );
  }

  #report(text: string, outcome: 'ready' | 'failed'): void {
    const { show, isTerminal } = this.#options;
    const ms = Date.now() - this.#beganAt;
    const files = this.#changed.join(', ');
    const isFirst = files === '' && outcome === 'ready';
    show(`${isTerminal && !isFirst ? CLEAR_SCREEN : ''}${text}`);
    if (outcome === 'ready')
      show(isFirst ? `ready in ${(ms / 1000).toFixed(1)} s (Ctrl-C stops)` : `reloaded in ${ms} ms: ${files}`);
    this.#settling = setTimeout(() => {
      this.#next ??= this.#prepare();
      void this.#showTypeErrors();
    }, SETTLING_MS);
  }

  async #showTypeErrors(): Promise<void> {
    const errors = await this.#types.check();
    if (this.#isStopped || errors === undefined || errors.length === 0) return;
    this.#options.show(`\nErrors of types:\n\n${errors.join('\n')}\n`);
  }
}
