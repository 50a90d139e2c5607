import type { PeerName } from './peer-calls.ts';

/** Another product that serves tables of PostgreSQL over HTTP, set up as its own documentation says for production. */
export interface Peer {
  readonly name: PeerName;
  /** Name and version. */
  readonly about: string;
  /** What is switched on, in a sentence of the page. */
  readonly settings: string;
  /** Programs that must be installed. */
  readonly needs: readonly string[];
  /** Installs it into a folder of its own; called again it does nothing that takes long. */
  install(folder: string): Promise<void>;
  /** Makes what it needs in the database, beside the tables of the data set. */
  prepare(target: PeerTarget): Promise<void>;
  /** The process that serves. */
  command(target: PeerTarget): PeerCommand;
  /** Called once it listens; returns the bearer token of the requests. */
  open(target: PeerTarget): Promise<string>;
}

/** A peer in one run. */
export interface PeerTarget {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly port: number;
  readonly poolSize: number;
  /** For signed tokens. */
  readonly secret: string;
}

export interface PeerCommand {
  readonly file: string;
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}
