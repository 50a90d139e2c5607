import { processSettings as auth } from '@lintel/auth/settings';
import { describeSettings, knownKeysOf, type SettingDescription, type SettingsShape } from '@lintel/config';
import { processSettings as data } from '@lintel/data/settings';
import { processSettings as files } from '@lintel/files/settings';
import { processSettings as gateway, rateLimitStoreSettings } from '@lintel/gateway/settings';
import { processSettings as reports } from '@lintel/reports/settings';

/** Settings of the services. */
export const SERVICES: Readonly<Record<string, readonly SettingsShape[]>> = {
  gateway: [gateway, rateLimitStoreSettings],
  auth: [auth],
  data: [data],
  files: [files],
  reports: [reports],
};

/** What a property means to some services. */
export interface SettingMeaning {
  readonly description: string;
  readonly services: readonly string[];
}

/** A property with the services that read it. */
export interface SettingRow extends Omit<SettingDescription, 'description'> {
  /** More than one where it means something else in another service, such as another login of the database. */
  readonly meanings: readonly SettingMeaning[];
}

/**
 * Every property of every service, by name.
 *
 * @throws Error where two services declare one property differently
 */
export function settingRows(): readonly SettingRow[] {
  const rows = new Map<string, SettingRow>();
  for (const [service, shapes] of Object.entries(SERVICES))
    for (const { description, ...row } of shapes.flatMap(describeSettings)) {
      const known = rows.get(row.name);
      if (known !== undefined) assertAgree(known, row, service);
      rows.set(row.name, { ...row, meanings: withMeaning(known?.meanings ?? [], description, service) });
    }
  return [...rows.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

function withMeaning(
  known: readonly SettingMeaning[],
  description: string,
  service: string,
): readonly SettingMeaning[] {
  if (!known.some((meaning) => meaning.description === description))
    return [...known, { description, services: [service] }];
  return known.map((meaning) =>
    meaning.description === description ? { description, services: [...meaning.services, service] } : meaning,
  );
}

/** Keys in the form of `SettingSources.knownKeys`, sorted. */
export const allKnownKeys = (): readonly string[] =>
  [...new Set(Object.values(SERVICES).flat().flatMap(knownKeysOf))].sort();

type Declared = Pick<SettingDescription, 'name' | 'accepts' | 'defaultText' | 'secret'>;

/** One environment serves all processes: a property must have the same form everywhere. */
function assertAgree(known: Declared, row: Declared, service: string): void {
  for (const member of ['accepts', 'defaultText', 'secret'] as const)
    if (known[member] !== row[member])
      throw new Error(`${row.name}: ${service} declares ${member} "${row[member]}", others "${known[member]}"`);
}
