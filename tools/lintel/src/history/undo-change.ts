import type { Terminal } from '../terminal.ts';
import { askServer } from './ask-server.ts';
import type { UndoOptions } from './history.command.ts';
import { type Difference, linesOf } from './read-history.ts';

interface Undone {
  readonly entity: string;
  readonly id: unknown;
  readonly operation: string;
}

interface Rehearsal {
  readonly changes: readonly (Pick<Difference, 'attributes'> & {
    readonly entity: string;
    readonly id: unknown;
    readonly change: string;
  })[];
}

/** Takes a change back, or prints what this would change. */
export async function undoChange(change: string, options: UndoOptions, terminal: Terminal): Promise<void> {
  const { reason, dryRun = false, json = false } = options;
  const result = await askServer<readonly Undone[] | Rehearsal>(options, {
    method: 'POST',
    path: `/changes/${encodeURIComponent(change)}/undo`,
    headers: {
      // Headers have bytes.
      ...(reason !== undefined && { 'x-change-reason': Buffer.from(reason).toString('latin1') }),
      ...(dryRun && { prefer: 'tx=rollback' }),
    },
  });
  if (json) return terminal.print(JSON.stringify(result, null, 2));
  if ('changes' in result)
    for (const { entity, id, change: operation, attributes } of result.changes)
      terminal.print([`${entity} ${idText(id)}: ${operation}`, ...linesOf({ attributes })].join('\n  '));
  else for (const { entity, id, operation } of result) terminal.print(`${entity} ${idText(id)}: ${operation}`);
}

const idText = (id: unknown): string => (typeof id === 'object' ? JSON.stringify(id) : String(id));
