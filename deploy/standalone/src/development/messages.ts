import type { ConnectionConfig } from '@lintel/config';

/** What the worker needs of the database that the development server has opened. */
export interface SharedDatabase {
  readonly url: string;
  /** Whether the development server has started it. */
  readonly isOwn: boolean;
  /** For people: where it is. */
  readonly description: string;
  /** Secrets of the home folder, as properties. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** From the development server to a worker. */
export type ToWorker =
  /** The application is to be loaded and started. */
  | { readonly kind: 'start' }
  | { readonly kind: 'database'; readonly home: string; readonly url: string; readonly database: SharedDatabase }
  | { readonly kind: 'result'; readonly call: number; readonly value?: unknown; readonly error?: string }
  /** The user has confirmed that the pending migrations lose data. */
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'stop' };

/** From a worker to the development server. */
export type FromWorker =
  /** The modules of the platform are loaded. */
  | { readonly kind: 'prepared' }
  /** The application is loaded; the worker needs the database. */
  | {
      readonly kind: 'configured';
      readonly host: string;
      readonly port: number;
      readonly isEncrypted: boolean;
      /** Value of `svc.datasource.url`. */
      readonly databaseUrl: string | undefined;
      readonly connection: ConnectionConfig;
    }
  | { readonly kind: 'started'; readonly port: number; readonly banner: string }
  /** Pending migrations lose data: the worker waits for a confirmation. */
  | { readonly kind: 'unconfirmed'; readonly text: string }
  /** The application cannot start; the worker ends. */
  | { readonly kind: 'failed'; readonly text: string }
  /** A call of the key-value store. */
  | { readonly kind: 'call'; readonly call: number; readonly method: string; readonly parameters: readonly unknown[] };
