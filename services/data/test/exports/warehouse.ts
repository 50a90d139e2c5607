import { readFileSync } from 'node:fs';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { startWithRelay } from '../event-handlers/start-with-relay.ts';
import { feedApplication } from '../feed-application.ts';
import { schemaOf } from '../schema-of.ts';

/** What the guide copies into. */
export interface CopiedTable {
  position(): Promise<string | undefined>;
  load(lines: ReadableStream<Uint8Array>, position: string): Promise<void>;
  update(ids: readonly string[], lines: ReadableStream<Uint8Array>, position: string): Promise<void>;
}

type CopyEntity = (options: {
  readonly api: string;
  readonly token: string;
  readonly entity: string;
  readonly table: CopiedTable;
  readonly signal: AbortSignal;
}) => Promise<void>;

/** The programs of docs/guide/changes.md#a-copy-in-a-warehouse: one that copies, and the table in DuckDB. */
export function programsOfGuide(): readonly string[] {
  const page = readFileSync(new URL('../../../../docs/guide/changes.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## A copy in a warehouse');
  return [...section.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
}

const [program = ''] = programsOfGuide();
const { copyEntity } = (await import(`data:text/javascript,${encodeURIComponent(program)}`)) as {
  readonly copyEntity: CopyEntity;
};

const idOf = (note: number): string => `00000000-0000-4000-8000-${String(note).padStart(12, '0')}`;

/** A step of a history: a write of a note, or the copy is stopped and begun again. */
export type Step =
  | { readonly kind: 'write'; readonly note: number; readonly size: number }
  | { readonly kind: 'delete'; readonly note: number }
  | { readonly kind: 'restart' };

/** Notes of a data service, which a table follows as the guide shows. */
export class FollowedNotes {
  readonly #database: TestDatabase;
  readonly #data: Awaited<ReturnType<typeof startWithRelay>>;

  private constructor(database: TestDatabase, data: Awaited<ReturnType<typeof startWithRelay>>) {
    this.#database = database;
    this.#data = data;
  }

  static async start(): Promise<FollowedNotes> {
    const database = await cloneTestDatabase(schemaOf(feedApplication.model), 'warehouse');
    const users = { admin: { resourceRoles: ['system-full-access'] } };
    return new FollowedNotes(database, await startWithRelay(database, feedApplication, users));
  }

  async close(): Promise<void> {
    await this.#data.close();
    await this.#database.drop();
  }

  /** All notes, in the order of their ids. */
  async rows(): Promise<readonly object[]> {
    const { text } = await this.#data.send('admin', 'GET', '/entities/f_Note?fetchPlan=_local&sort=id');
    return JSON.parse(text);
  }

  /** Does some steps, then others while the table follows, until `expectEqual` resolves: after the last one. */
  async follow(
    table: CopiedTable,
    { before, during }: { readonly before: readonly Step[]; readonly during: readonly Step[] },
    expectEqual: () => Promise<void>,
  ): Promise<void> {
    await this.#database.query('DELETE FROM f.note');
    for (const step of before) await this.#write(step);
    let copy = this.#begin(table);
    for (const step of during) {
      if (step.kind !== 'restart') await this.#write(step);
      else {
        await copy.stop();
        copy = this.#begin(table);
      }
    }
    // Only a row that has followed this one is the end.
    await this.#write({ kind: 'write', note: 999, size: during.length });
    await eventually(expectEqual);
    await copy.stop();
  }

  #begin(table: CopiedTable): { readonly stop: () => Promise<void> } {
    const stopping = new AbortController();
    const { signal } = stopping;
    const copied = copyEntity({ api: `${this.#data.url}/rest`, token: 'admin', entity: 'f_Note', table, signal }).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error;
      },
    );
    return {
      async stop() {
        stopping.abort();
        await copied;
      },
    };
  }

  async #write(step: Step): Promise<void> {
    if (step.kind === 'restart') return;
    const id = idOf(step.note);
    const path = `/entities/f_Note/${id}`;
    if (step.kind === 'delete') {
      const { status } = await this.#data.send('admin', 'DELETE', path);
      expect([204, 404]).toContain(status);
      return;
    }
    const values = { text: `Size ${step.size}`, size: step.size };
    const updated = await this.#data.send('admin', 'PUT', path, values);
    if (updated.status !== 404) expect(updated.status).toBe(200);
    // A deleted note keeps its id.
    else {
      const created = await this.#data.send('admin', 'POST', '/entities/f_Note', { id, ...values });
      expect([201, 400, 409]).toContain(created.status);
    }
  }
}
