export { ConfigurationError } from './configuration-error.ts';
export { defineSettings } from './define-settings.ts';
export { describeSettings, knownKeysOf, type SettingDescription } from './describe-settings.ts';
export { type EffectiveSetting, explainSettings, type SettingsExplanation } from './explain-settings.ts';
export { type LoadableApplication, loadApplication } from './load-application.ts';
export { loadSettings } from './load-settings.ts';
export { managementSettings } from './management-settings.ts';
export { backendSettings, platformSettings, restPathSettings } from './platform-settings.ts';
export type { PropertySource } from './property-source.ts';
export {
  type Configuration,
  type ConfigurationSources,
  configurationSources,
  type ReadConfigurationOptions,
  readConfiguration,
} from './read-configuration.ts';
export { findResource, readResource, readResourceBytes } from './read-resource.ts';
export {
  type Setting,
  type SettingMap,
  type SettingMapOptions,
  type SettingOptions,
  type SettingsOf,
  type SettingsShape,
  setting,
  settingMap,
} from './setting.ts';
export { slowQuerySettings } from './slow-query-settings.ts';
export { type ProcessSourcesOptions, processSources, type SettingSources } from './sources.ts';
export {
  booleanValue,
  choiceListValue,
  choiceValue,
  durationMsValue,
  integerValue,
  listValue,
  pathValue,
  portValue,
  type RateValue,
  rateValue,
  resourceListValue,
  sizeBytesValue,
  textValue,
  urlListValue,
  urlValue,
} from './values.ts';
