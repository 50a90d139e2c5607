import type { ProcessReport, ProcessSetting, SlowStatement } from '@lintel/contracts';
import type { KeyValueStore } from '../stores/key-value-store.ts';

/** A process that has not reported for this time is not listed any more. */
const REPORT_TTL_MS = 20_000;
/** Written rarely, since they do not change. */
const SETTINGS_TTL_MS = 5 * 60_000;

const MEMBERS = 'processes';
const reportKey = (id: string): string => `process:${id}`;
const settingsKey = (id: string): string => `process:${id}:settings`;
const statementsKey = (id: string): string => `process:${id}:statements`;

/** A slow statement with the process that executed it. */
export interface ProcessStatement extends SlowStatement {
  readonly process: string;
}

/** What the running processes report about themselves, in the store that they share. */
export interface ProcessDirectory {
  /** Stores the report of a process; it is forgotten after 20 seconds without another one. */
  report(report: ProcessReport): Promise<void>;
  reportSettings(id: string, settings: readonly ProcessSetting[]): Promise<void>;
  reportStatements(id: string, statements: readonly SlowStatement[]): Promise<void>;
  /** To be called when a process ends. */
  remove(id: string): Promise<void>;
  /** By service and id. */
  list(): Promise<readonly ProcessReport[]>;
  /** Undefined if no such process has reported. */
  settingsOf(id: string): Promise<readonly ProcessSetting[] | undefined>;
  /** Those of all processes, the most recent first. */
  statements(): Promise<readonly ProcessStatement[]>;
}

/** @param store Redis, or the memory of a single process */
export function createProcessDirectory(
  store: Pick<KeyValueStore, 'get' | 'getMany' | 'set' | 'delete' | 'addToSet' | 'removeFromSet' | 'membersOf'>,
): ProcessDirectory {
  /** The values of the processes that still report; others leave the set. */
  const living = async (): Promise<readonly ProcessReport[]> => {
    const ids = await store.membersOf(MEMBERS);
    const texts = await store.getMany(ids.map(reportKey));
    const ended = ids.filter((_, at) => texts[at] === undefined);
    if (ended.length > 0) await store.removeFromSet(MEMBERS, ...ended);
    return texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text) as ProcessReport]));
  };
  return {
    async report(report) {
      await store.set(reportKey(report.id), JSON.stringify(report), REPORT_TTL_MS);
      await store.addToSet(MEMBERS, report.id, SETTINGS_TTL_MS);
    },
    reportSettings: (id, settings) => store.set(settingsKey(id), JSON.stringify(settings), SETTINGS_TTL_MS),
    reportStatements: (id, statements) => store.set(statementsKey(id), JSON.stringify(statements), SETTINGS_TTL_MS),
    async remove(id) {
      await store.delete(reportKey(id), settingsKey(id), statementsKey(id));
      await store.removeFromSet(MEMBERS, id);
    },
    list: async () =>
      (await living()).toSorted((one, other) =>
        `${one.service} ${one.id}`.localeCompare(`${other.service} ${other.id}`),
      ),
    async settingsOf(id) {
      const text = await store.get(settingsKey(id));
      return text === undefined ? undefined : JSON.parse(text);
    },
    async statements() {
      const ids = (await living()).map(({ id }) => id);
      const texts = await store.getMany(ids.map(statementsKey));
      return texts
        .flatMap((text, at) =>
          text === undefined
            ? []
            : (JSON.parse(text) as readonly SlowStatement[]).map((one) => ({ ...one, process: ids[at] ?? '' })),
        )
        .toSorted((one, other) => (one.lastAt < other.lastAt ? 1 : -1));
    },
  };
}
