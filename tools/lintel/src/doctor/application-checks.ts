import type { Application } from '@lintel/application';
import { settings as auth } from '@lintel/auth/settings';
import { ConfigurationError, INSECURITIES, loadSettings, type SettingsShape } from '@lintel/config';
import { settings as data, mapKeysOf } from '@lintel/data/settings';
import { settings as files } from '@lintel/files/settings';
import { settings as gateway } from '@lintel/gateway/settings';
import { settings as reports } from '@lintel/reports/settings';
import { type ApplicationOptions, applicationSources, openApplication } from '../application-context.ts';
import { messageOf } from '../message-of.ts';
import { type Check, failed, ok } from './check.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const SERVICES: readonly SettingsShape[] = [gateway, auth, data, files, reports];

/** What `npm start` decides by itself. */
const OF_STANDALONE: Readonly<Record<string, string>> = {
  'svc.internal.secret': 'made by npm start',
  'svc.authserver.key-encryption-secret': 'made by npm start, and long enough for a key',
  'svc.datasource.url': 'postgres://127.0.0.1/lintel',
  'svc.security.allow-insecure': INSECURITIES.join(','),
};

/** Loads the application, for the following checks as well. */
export const applicationCheck = (
  options: ApplicationOptions,
  environment: Variables,
  onLoaded: (application: Application) => void,
): Check => ({
  id: 'application',
  title: 'Application',
  async run() {
    try {
      const { application } = await openApplication(options, environment);
      onLoaded(application);
      return ok(`${application.name}, entities: ${application.entities.length}`);
    } catch (error) {
      return failed(messageOf(error), 'Correct the application, or name another one with --application');
    }
  },
});

/** Whether each of the services would start with these properties: all problems at once. */
export const configurationCheck = (
  options: ApplicationOptions,
  environment: Variables,
  mode: 'standalone' | 'services',
  application: () => Application | undefined,
): Check => ({
  id: 'configuration',
  title: 'Configuration',
  async run() {
    const loaded = application();
    const sources = applicationSources(options, environment, {
      ...(loaded?.properties !== undefined && { applicationProperties: loaded.properties }),
      ...(mode === 'standalone' && { defaults: OF_STANDALONE }),
      ...(loaded !== undefined && { mapKeys: mapKeysOf(loaded) }),
    });
    const problems = new Set(SERVICES.flatMap((shape) => problemsOf(() => loadSettings(shape, sources))));
    return problems.size === 0
      ? ok('complete and without contradictions')
      : failed([...problems].join('\n'), 'All properties are in docs/reference/config.md');
  },
});

function problemsOf(load: () => unknown): readonly string[] {
  try {
    load();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}
