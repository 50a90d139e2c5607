import type { z } from 'zod';
import { environmentName } from '../key-names.ts';
import { flattenSettings } from './define-settings.ts';
import type { SettingsShape } from './setting.ts';
import { textOfValue } from './values.ts';

/** One row of the reference page `docs/reference/config.md`. */
export interface SettingDescription {
  /** `svc.rest.base-path`; maps end in `.<name>` or `.<name>.<member>`. */
  readonly name: string;
  readonly environmentName: string;
  readonly description: string;
  /** What text is accepted. */
  readonly accepts: string;
  /** Value when nothing is set, `required` or `–` for none. */
  readonly defaultText: string;
  readonly secret: boolean;
}

/** Describes all settings of a shape, in order of declaration. */
export function describeSettings(shape: SettingsShape): readonly SettingDescription[] {
  return flattenSettings(shape).flatMap((entry): readonly SettingDescription[] => {
    if (entry.kind === 'setting') return [row(entry.name, entry.schema, entry.description, entry.secret)];
    const members: unknown = 'shape' in entry.schema ? entry.schema.shape : undefined;
    if (typeof members !== 'object' || members === null)
      return [row(`${entry.prefix}.<name>`, entry.schema, entry.description, false)];
    return Object.entries(members).map(([member, schema]: [string, z.ZodType]) =>
      row(
        `${entry.prefix}.<name>.${member}`,
        schema,
        entry.memberDescriptions[member] ?? entry.description,
        entry.secretMembers.includes(member),
      ),
    );
  });
}

/** The keys of a shape in the form of `SettingSources.knownKeys`. */
export const knownKeysOf = (shape: SettingsShape): readonly string[] =>
  flattenSettings(shape).map((entry) => (entry.kind === 'map' ? `${entry.prefix}.*` : entry.name));

function row(name: string, schema: z.ZodType, description: string, secret: boolean): SettingDescription {
  const parsed = schema.safeParse(undefined);
  return {
    name,
    environmentName: environmentName(name.replace(/[<>]/g, '')),
    description,
    accepts: acceptedBy(schema),
    defaultText: parsed.success ? defaultText(parsed.data, schema) : 'required',
    secret,
  };
}

/** The description of the schema, or of the one that `default` and `optional` wrap. */
export function acceptedBy(schema: z.ZodType): string {
  let current: unknown = schema;
  while (typeof current === 'object' && current !== null) {
    if ('description' in current && typeof current.description === 'string') return current.description;
    current = 'unwrap' in current && typeof current.unwrap === 'function' ? current.unwrap() : undefined;
  }
  return 'a text';
}

function defaultText(value: unknown, schema: z.ZodType): string {
  const text = value === undefined || value === null ? '' : textOfValue(value, schema);
  return text === '' ? '–' : text;
}
