export { anonymousUrlPatternsOf } from './anonymous-url-patterns.ts';
export { compileDecorators } from './compile-decorators.ts';
export { ConfigurationError } from './configuration-error.ts';
export { type ConnectionConfig, connectionSettings, datasourceSettings } from './datasource-settings.ts';
export { datasourceOf, datasourceUrlOf, sessionUrlOf } from './datasource-url.ts';
export { defineSettings } from './declaring/define-settings.ts';
export { describeSettings, knownKeysOf, type SettingDescription } from './declaring/describe-settings.ts';
export {
  ruledSettings,
  type Setting,
  type SettingMap,
  type SettingMapOptions,
  type SettingOptions,
  type SettingsOf,
  type SettingsShape,
  setting,
  settingMap,
} from './declaring/setting.ts';
export {
  booleanValue,
  choiceListValue,
  choiceValue,
  durationMsValue,
  integerValue,
  listValue,
  type NodeAddress,
  nodeListValue,
  pathValue,
  portValue,
  type RateValue,
  rateValue,
  resourceListValue,
  sizeBytesValue,
  textValue,
  urlListValue,
  urlValue,
} from './declaring/values.ts';
export { type InternalListenerShape, type ListenerShape, listenerSettings } from './listener-settings.ts';
export { type LoadableApplication, loadApplication } from './load-application.ts';
export { type EffectiveSetting, explainSettings, type SettingsExplanation } from './loading/explain-settings.ts';
export { loadSettings } from './loading/load-settings.ts';
export { managementSettings } from './management-settings.ts';
export { passwordSettings } from './password-settings.ts';
export {
  availableLocalesSetting,
  backendSettings,
  CONSOLE_CLIENT,
  CONSOLE_PATH,
  explorerClientOf,
  platformSettings,
  resourceServerIssuerSetting,
  restPathSettings,
  unknownMembersSetting,
} from './platform-settings.ts';
export {
  type Configuration,
  type ConfigurationSources,
  configurationSources,
  type ReadConfigurationOptions,
  readConfiguration,
} from './read-configuration.ts';
export { findResource, readResource, readResourceBytes } from './read-resource.ts';
export { findRedisAddress, type RedisAddress, redisAddressOf } from './redis/redis-address.ts';
export { type RedisConfig, redisSettings } from './redis/redis-settings.ts';
export { gatewayHostSetting } from './safety/gateway-host-setting.ts';
export { insecureSecret } from './safety/insecure-secret.ts';
export { INSECURITIES, type InsecureSetting, type Insecurity } from './safety/insecurities.ts';
export { isLoopback } from './safety/is-loopback.ts';
export {
  insecureSettings,
  isExposed,
  isStrict,
  PUBLISHED,
  type ServiceSafety,
  safeSettings,
} from './safety/safe-settings.ts';
export { warnOfInsecurity } from './safety/warn-of-insecurity.ts';
export type { PropertySource } from './sources/property-source.ts';
export { type ProcessSourcesOptions, processSources, type SettingSources } from './sources/sources.ts';
export { type StepUpSettings, stepUpSettings } from './step-up-settings.ts';
