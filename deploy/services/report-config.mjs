import { configurationSources, explainSettings, processSources } from '@lintel/config';
import { decidedAtStart, standaloneDefaults } from '@lintel/standalone/properties';
import { mapKeys, SHAPES, STANDALONE_SHAPES } from './service-shapes.mjs';

/**
 * @typedef {object} ConfigReport
 * @property {'standalone' | 'services'} mode
 * @property {boolean} valid
 * @property {readonly string[]} problems what would stop the start
 * @property {readonly { name: string, value: string | null, secret: boolean, origin: string, services: readonly string[] }[]} settings
 *   by name; `services` read it, and no secret is in it
 */

/**
 * What holds for the services and where it comes from, as `npm start` (standalone) or the processes would read it.
 *
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {{ mode?: 'standalone' | 'services', service?: string }} [choice] without a mode: standalone, unless a
 *   database is configured
 * @returns {Promise<ConfigReport>}
 */
export async function reportConfig(environment, { mode = modeOf(environment), service } = {}) {
  const isStandalone = mode === 'standalone';
  const { application, sources, problems } = await configurationSources({
    environment,
    mapKeys,
    ...(isStandalone && {
      defaults: standaloneDefaults({ port: environment.PORT, ownsDatabase: !hasDatabase(environment) }),
      overrides: decidedAtStart({ ownsDatabase: !hasDatabase(environment) }),
    }),
  });
  const shapes = Object.entries(isStandalone ? STANDALONE_SHAPES : SHAPES);
  const all = new Set(problems);
  const settings = new Map();
  for (const [name, shape] of shapes.filter(([name]) => service === undefined || name === service)) {
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
    settings: [...settings.values()].sort((left, right) => (left.name < right.name ? -1 : 1)),
  };
}

/** Without a configured database only the standalone mode can start, with one of its own. */
const modeOf = (environment) => (hasDatabase(environment) ? 'services' : 'standalone');

function hasDatabase(environment) {
  const { sources } = processSources({ environment });
  return sources.some(({ values }) =>
    Object.keys(values).some((key) => /^svcdatasourceurl(file)?$/i.test(key.replace(/[._-]/g, ''))),
  );
}
