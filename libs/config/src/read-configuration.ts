import { type LoadableApplication, loadApplication } from './application/load-application.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { SettingsOf, SettingsShape } from './declaring/setting.ts';
import { type EffectiveSetting, explainSettings } from './loading/explain-settings.ts';
import { judgeSettings, loadSettings } from './loading/load-settings.ts';
import { platformSettings } from './platform-settings.ts';
import { type ProcessSourcesOptions, processSources, type SettingSources } from './sources/sources.ts';

export interface ReadConfigurationOptions<A> extends Omit<ProcessSourcesOptions, 'applicationProperties' | 'mapKeys'> {
  /** Names with which the keys of maps are matched; called once the application is loaded. */
  readonly mapKeys?: (application: A) => Readonly<Record<string, readonly string[]>>;
}

export interface Configuration<S, A> {
  readonly application: A;
  readonly config: SettingsOf<S>;
  /** Every property with its value and its source; secrets are masked. */
  explain(): readonly EffectiveSetting[];
}

/** The sources of a process, including the defaults of its application. */
export interface ConfigurationSources<A> {
  /** Undefined if it could not be loaded; `problems` then has the reason. */
  readonly application: A | undefined;
  readonly sources: SettingSources;
  readonly problems: readonly string[];
}

/** The application that `svc.application` names, and the sources in which settings are searched. */
export async function configurationSources<A extends LoadableApplication>(
  options: ReadConfigurationOptions<A> = {},
): Promise<ConfigurationSources<A>> {
  const { mapKeys, ...rest } = options;
  // The application must be loaded before its defaults can be used; other keys are checked later, with the rest.
  const first = processSources({ ...rest, knownKeys: ['svc.*'] });
  let application: A;
  try {
    const { application: specifier } = loadSettings(
      { application: platformSettings.application },
      { ...first, problems: [] },
    );
    application = await loadApplication<A>(specifier);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    // The application could supply missing settings by its defaults: without it, only given values can be checked.
    return { application: undefined, sources: processSources(rest), problems: error.problems };
  }
  const sources = processSources({
    ...rest,
    applicationProperties: application.properties,
    ...(mapKeys === undefined ? {} : { mapKeys: mapKeys(application) }),
  });
  return { application, sources, problems: [] };
}

/**
 * Reads the configuration of a process: the application that `svc.application` names, and the service's settings
 * with the application's properties as defaults.
 *
 * @throws ConfigurationError listing every problem
 */
export async function readConfiguration<const S extends SettingsShape, A extends LoadableApplication>(
  shape: S,
  options: ReadConfigurationOptions<A> = {},
): Promise<Configuration<S, A>> {
  const { application, sources, problems } = await configurationSources<A>(options);
  const judged = judgeSettings(shape, sources);
  const missing = application === undefined ? [] : judged.missing;
  const all = [...problems, ...judged.problems, ...missing];
  if (all.length > 0 || application === undefined) throw new ConfigurationError([...new Set(all)]);
  return { application, config: judged.config, explain: () => explainSettings(shape, sources).settings };
}
