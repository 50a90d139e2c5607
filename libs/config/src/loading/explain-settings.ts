import { flattenSettings } from '../declaring/define-settings.ts';
import { describeSettings } from '../declaring/describe-settings.ts';
import type { Setting, SettingMap, SettingsShape } from '../declaring/setting.ts';
import { originOf } from '../sources/property-source.ts';
import type { SettingSources } from '../sources/sources.ts';
import type { FoundText } from './gather-settings.ts';
import { judgeSettings } from './load-settings.ts';
import type { MapEntry } from './map-reader.ts';
import { MASK, maskPasswords, maskSecret } from './mask.ts';

/** The value of one property in a form that contains no secret. */
export interface EffectiveSetting {
  /** `svc.rest.base-path`; of maps with the name of the entry. */
  readonly name: string;
  /** With secrets masked; null if there is no value. */
  readonly value: string | null;
  readonly secret: boolean;
  /** `default`, `environment: SVC_REST_BASE_PATH`, `/etc/lintel.yml:12`, `application`. */
  readonly origin: string;
}

export interface SettingsExplanation {
  readonly settings: readonly EffectiveSetting[];
  /** Everything that would stop the start. */
  readonly problems: readonly string[];
}

/** Every property of a shape with its value and the source of the value, by name. Contains no secret. */
export function explainSettings(shape: SettingsShape, sources: SettingSources): SettingsExplanation {
  const { gathered, problems, missing } = judgeSettings(shape, sources);
  const defaults = new Map(describeSettings(shape).map(({ name, defaultText }) => [name, defaultText]));
  const settings = flattenSettings(shape).flatMap((entry): readonly EffectiveSetting[] =>
    entry.kind === 'setting'
      ? [ofSetting(entry, gathered.found.get(entry), defaults.get(entry.name))]
      : ofMap(entry, gathered.maps.get(entry)?.entries() ?? []),
  );
  return {
    settings: [...settings].sort((left, right) => (left.name < right.name ? -1 : 1)),
    problems: [...problems, ...missing],
  };
}

function ofSetting(
  { name, secret }: Setting<unknown>,
  found: FoundText | undefined,
  defaultText: string | undefined,
): EffectiveSetting {
  if (found !== undefined) return effectiveOf(name, found, secret);
  const value = defaultText === undefined || defaultText === '–' || defaultText === 'required' ? null : defaultText;
  return { name, value, secret, origin: defaultText === 'required' ? 'missing' : 'default' };
}

function ofMap(
  { prefix, secretMembers }: SettingMap<unknown>,
  entries: readonly MapEntry[],
): readonly EffectiveSetting[] {
  return entries.flatMap(({ name, found }) =>
    found instanceof Map
      ? [...found].map(([member, text]) =>
          effectiveOf(`${prefix}.${name}.${member}`, text, secretMembers.includes(member)),
        )
      : [effectiveOf(`${prefix}.${name}`, found, false)],
  );
}

function effectiveOf(name: string, found: FoundText, secret: boolean): EffectiveSetting {
  const { text, key, source, secretFile } = found;
  const whole = typeof text === 'string' ? text : text.join(',');
  const hidden = source.isSecret === true || secretFile !== undefined;
  const value = secret ? maskSecret(whole) : hidden ? MASK : maskPasswords(whole);
  const described = originOf(source, key);
  const origin = source.kind === 'environment' || source.isSecret === true ? `${described}: ${key}` : described;
  return { name, value, secret, origin: secretFile === undefined ? origin : `${origin} = ${secretFile}` };
}
