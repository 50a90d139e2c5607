import { settings as auth } from '@lintel/auth/settings';
import {
  backendSettings,
  describeSettings,
  knownKeysOf,
  platformSettings,
  restPathSettings,
  type SettingDescription,
  type SettingsShape,
} from '@lintel/config';
import { settings as data } from '@lintel/data/settings';
import { settings as files } from '@lintel/files/settings';
import { settings as gateway } from '@lintel/gateway/settings';
import { settings as reports } from '@lintel/reports/settings';

const SERVICES: Readonly<Record<string, SettingsShape>> = { gateway, auth, data, files, reports };
/** Declared once for all services; their descriptions override those of a service. */
const SHARED: readonly SettingsShape[] = [platformSettings, restPathSettings, backendSettings];

/** A property and the services that read it; none means all. */
export interface SettingRow extends SettingDescription {
  readonly usedBy: readonly string[];
}

/**
 * Every property of every service, by name.
 *
 * @throws Error where two services declare one property differently
 */
export function settingRows(): readonly SettingRow[] {
  const rows = new Map<string, SettingRow>();
  for (const shape of SHARED) for (const row of describeSettings(shape)) rows.set(row.name, { ...row, usedBy: [] });
  for (const [service, shape] of Object.entries(SERVICES)) {
    for (const row of describeSettings(shape)) {
      const known = rows.get(row.name);
      if (known === undefined) rows.set(row.name, { ...row, usedBy: [service] });
      else {
        assertAgree(known, row, service);
        if (!known.usedBy.includes(service)) rows.set(row.name, { ...known, usedBy: [...known.usedBy, service] });
      }
    }
  }
  return [...rows.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Keys in the form of `SettingSources.knownKeys`, sorted. */
export const allKnownKeys = (): readonly string[] =>
  [...new Set([...SHARED, ...Object.values(SERVICES)].flatMap((shape) => knownKeysOf(shape)))].sort();

/** One environment serves all processes: a property must mean the same everywhere. */
function assertAgree(known: SettingDescription, row: SettingDescription, service: string): void {
  for (const member of ['accepts', 'defaultText', 'secret'] as const)
    if (known[member] !== row[member])
      throw new Error(`${row.name}: ${service} declares ${member} "${row[member]}", others "${known[member]}"`);
}
