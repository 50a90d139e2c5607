import { type Application, loadResources } from '@lintel/application';
import { findResource, loadSettings, readResource, restPathSettings, type SettingsOf } from '@lintel/config';
import { settings as dataSettings } from '@lintel/data/settings';
import { type ApplicationOptions, applicationSources, openApplication } from './application-context.ts';

/** An application with what its resource files add, and where its API is. */
export interface WholeApplication {
  readonly application: Application;
  readonly paths: SettingsOf<typeof restPathSettings>;
}

/** The parts of the configuration that say which files there are. */
const shape = {
  paths: restPathSettings,
  availableLocales: dataSettings.availableLocales,
  fetchPlansConfig: dataSettings.fetchPlansConfig,
  servicesConfig: dataSettings.servicesConfig,
  queriesConfig: dataSettings.queriesConfig,
  jsonTransformationConfig: dataSettings.jsonTransformationConfig,
  readOnly: dataSettings.readOnly,
};

/** Loads the application as the data service does, without a database. */
export async function loadWholeApplication(options: ApplicationOptions): Promise<WholeApplication> {
  const { application: bare } = await openApplication(options);
  const sources = applicationSources(options, undefined, {
    knownKeys: ['svc.*'],
    ...(bare.properties !== undefined && { applicationProperties: bare.properties }),
  });
  const config = loadSettings(shape, sources);
  return {
    application: await loadResources(bare, { ...config, demoEnabled: false }, { readResource, findResource }),
    paths: config.paths,
  };
}
