import type { Application } from '@lintel/application';
import {
  configurationSources,
  type EffectiveSetting,
  explainSettings,
  platformSettings,
  processSources,
  type SettingSources,
} from '@lintel/config';
import { decidedAtStart, homeSecrets, standaloneDefaults } from '@lintel/standalone/properties';
import { mapKeys, type ServiceName, SHAPES, STANDALONE_SHAPES } from './service-shapes.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export type ConfigMode = 'standalone' | 'services';

export interface ConfigChoice {
  /** Without it: services where Redis or a broker is configured, as for `lintel doctor`. */
  readonly mode?: ConfigMode | undefined;
  /** Only the settings of this service. */
  readonly service?: ServiceName | undefined;
}

/** A setting that at least one service reads. */
export interface ReportedSetting extends EffectiveSetting {
  readonly services: readonly string[];
}

export interface ConfigReport {
  readonly mode: ConfigMode;
  readonly valid: boolean;
  /** What would stop the start. */
  readonly problems: readonly string[];
  /** By name; no secret is in it. */
  readonly settings: readonly ReportedSetting[];
}

/** The values in effect and their sources, as one process (standalone) or the five processes would read them. */
export async function reportConfig(environment: Variables, choice: ConfigChoice = {}): Promise<ConfigReport> {
  const loaded = await configurationSources<Application>({ environment, mapKeys });
  const keys = [
    ...processSources({ environment }).sources.flatMap(({ values }) => Object.keys(values)),
    ...Object.keys(loaded.application?.properties ?? {}),
  ].map((key) => key.toLowerCase().replace(/[._-]/g, ''));
  const mode = choice.mode ?? (keys.some((key) => /^svc(redis|broker)/.test(key)) ? 'services' : 'standalone');
  if (mode === 'services') return explain(mode, loaded, choice);
  const ownsDatabase = !keys.some((key) => /^svcdatasourceurl(file)?$/.test(key));
  const standalone = await configurationSources<Application>({
    environment,
    mapKeys,
    defaults: {
      ...homeSecrets,
      ...standaloneDefaults({ port: environment['PORT'], ownsDatabase, isStrict: isStrict(loaded.sources) }),
    },
    overrides: decidedAtStart({ ownsDatabase }),
  });
  return explain(mode, standalone, choice);
}

/** Whether the start will be in production or in the hardened profile. */
function isStrict(sources: SettingSources): boolean {
  const { isProduction, securityProfile } = platformSettings;
  const { settings } = explainSettings({ isProduction, securityProfile }, sources);
  return settings.some(({ value }) => value === 'true' || value === 'hardened');
}

function explain(
  mode: ConfigMode,
  { application, sources, problems }: Awaited<ReturnType<typeof configurationSources<Application>>>,
  { service }: ConfigChoice,
): ConfigReport {
  const all = new Set(problems);
  const settings = new Map<string, ReportedSetting>();
  for (const [name, shape] of Object.entries(mode === 'standalone' ? STANDALONE_SHAPES : SHAPES)) {
    if (service !== undefined && service !== name) continue;
    const explained = explainSettings(shape, sources);
    for (const problem of explained.problems) {
      // Without the application it is unknown what it declares.
      if (application !== undefined || !/\): is required/.test(problem)) all.add(problem);
    }
    for (const setting of explained.settings) {
      const services = settings.get(setting.name)?.services ?? [];
      settings.set(setting.name, { ...setting, services: [...services, name] });
    }
  }
  return {
    mode,
    valid: all.size === 0,
    problems: [...all],
    settings: [...settings.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
  };
}
