import { type LoadableApplication, loadApplication } from './load-application.ts';
import { loadSettings } from './load-settings.ts';
import { platformSettings } from './platform-settings.ts';
import type { SettingsOf, SettingsShape } from './setting.ts';
import { type ProcessSourcesOptions, processSources } from './sources.ts';

export interface ReadConfigurationOptions<A> extends Omit<ProcessSourcesOptions, 'applicationProperties' | 'mapKeys'> {
  /** Names that the keys of maps are matched with, once the application is known. */
  readonly mapKeys?: (application: A) => Readonly<Record<string, readonly string[]>>;
}

export interface Configuration<S, A> {
  readonly application: A;
  readonly config: SettingsOf<S>;
}

/**
 * What a `main.ts` needs: the application that `svc.application` names, and the service's settings with the
 * application's properties as defaults.
 *
 * @throws ConfigurationError listing every problem
 */
export async function readConfiguration<const S extends SettingsShape, A extends LoadableApplication>(
  shape: S,
  options: ReadConfigurationOptions<A> = {},
): Promise<Configuration<S, A>> {
  const { mapKeys, ...rest } = options;
  // Which application it is must be known before its defaults are; other keys are judged below.
  const first = loadSettings(
    { application: platformSettings.application },
    processSources({ ...rest, knownKeys: ['svc.*'] }),
  );
  const application = await loadApplication<A>(first.application);
  const sources = processSources({
    ...rest,
    applicationProperties: application.properties,
    ...(mapKeys === undefined ? {} : { mapKeys: mapKeys(application) }),
  });
  return { application, config: loadSettings(shape, sources) };
}
