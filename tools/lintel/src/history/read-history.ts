import { readTime } from '../events/read-selection.ts';
import type { Terminal } from '../terminal.ts';
import { askServer } from './ask-server.ts';
import type { ReadOptions } from './history.command.ts';

interface ChangedAttribute {
  readonly attribute: string;
  readonly old?: unknown;
  readonly new?: unknown;
  /** Personal values that differ are not shown to the user. */
  readonly masked?: boolean;
}

/** Values that differ, also of children. */
export interface Difference {
  readonly operation: string;
  readonly attributes: readonly ChangedAttribute[];
  readonly children?: readonly (Difference & { readonly attribute: string; readonly id: unknown })[];
}

interface Change extends Difference {
  readonly change: string;
  readonly time: string;
  readonly user?: string;
  readonly databaseUser?: string;
  readonly reason?: string;
  /** Attributes that differ, and are recorded without their values. */
  readonly secrets?: readonly string[];
}

/** Prints the recorded changes of an instance. */
export async function showHistory(entity: string, id: string, options: ReadOptions, terminal: Terminal): Promise<void> {
  const { limit = '20', user } = options;
  const query = new URLSearchParams({ limit, ...(user !== undefined && { user }), ...timesOf(options) });
  const changes = await askServer<readonly Change[]>(options, { path: `${pathOf(entity, id)}?${query}` });
  if (options.json === true) return terminal.print(JSON.stringify(changes, null, 2));
  if (changes.length === 0) return terminal.print('There are no changes that you may see.');
  for (const change of changes) {
    const who = change.user ?? change.databaseUser ?? 'unknown';
    const reason = change.reason === undefined ? '' : `  (${change.reason})`;
    terminal.print(`${change.time}  ${change.operation}  ${who}  ${change.change}${reason}`);
    const secrets = (change.secrets ?? []).map((name) => `${name}: not recorded`);
    for (const line of [...linesOf(change), ...secrets]) terminal.print(`  ${line}`);
  }
}

/** Prints what differs between two points in time. */
export async function showDifference(
  entity: string,
  id: string,
  options: ReadOptions,
  terminal: Terminal,
): Promise<void> {
  const query = new URLSearchParams(timesOf(options));
  const difference = await askServer<Difference>(options, { path: `${pathOf(entity, id)}/diff?${query}` });
  if (options.json === true) return terminal.print(JSON.stringify(difference, null, 2));
  const lines = linesOf(difference);
  terminal.print(lines.length === 0 ? 'Nothing differs.' : [difference.operation, ...lines].join('\n  '));
}

const pathOf = (entity: string, id: string): string =>
  `/history/${encodeURIComponent(entity)}/${encodeURIComponent(id)}`;

function timesOf({ from, to }: ReadOptions): Record<string, string> {
  const now = new Date();
  return {
    ...(from !== undefined && { from: readTime('--from', from, now).toISOString() }),
    ...(to !== undefined && { to: readTime('--to', to, now).toISOString() }),
  };
}

/** One line for each value: `lines[7].quantity: 1 → 2`. */
export function linesOf({ attributes, children = [] }: Omit<Difference, 'operation'>, path = ''): readonly string[] {
  return [
    ...attributes.flatMap(({ attribute, old, new: after, masked }) => [
      ...(masked === true && old === undefined && after === undefined
        ? []
        : [`${path}${attribute}: ${valueText(old)} → ${valueText(after)}`]),
      ...(masked === true ? [`${path}${attribute}: personal values, which you may not see`] : []),
    ]),
    ...children.flatMap((child) => {
      const at = `${path}${child.attribute}[${valueText(child.id)}]`;
      return [...(child.operation === 'updated' ? [] : [`${at}: ${child.operation}`]), ...linesOf(child, `${at}.`)];
    }),
  ];
}

/** A value as JSON, a reference by its name. */
function valueText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  const name = typeof value === 'object' ? (value as { readonly _instanceName?: unknown })._instanceName : undefined;
  if (typeof name === 'string' && name !== '') return name;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
