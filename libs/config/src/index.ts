export { anonymousUrlPatternsOf } from './anonymous-url-patterns.ts';
export { compileDecorators } from './application/compile-decorators.ts';
export { loadApplication } from './application/load-application.ts';
export { findResource, readResource, readResourceBytes } from './application/read-resource.ts';
export { ConfigurationError } from './configuration-error.ts';
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
  portValue,
  postgresUrlValue,
  type RateValue,
  rateValue,
  resourceListValue,
  roleTableValue,
  sizeBytesValue,
  textValue,
  urlListValue,
  urlValue,
} from './declaring/values.ts';
export { type EffectiveSetting, explainSettings } from './loading/explain-settings.ts';
export { loadSettings } from './loading/load-settings.ts';
export {
  availableLocalesSetting,
  backendSettings,
  CONSOLE_CLIENT,
  CONSOLE_PATH,
  changeFeedsSetting,
  dateTimeOffsetOf,
  dateTimeOffsetSetting,
  explorerClientOf,
  fileAccessSetting,
  followsReferences,
  platformSettings,
  resourceServerIssuerSetting,
  restPathSettings,
  unknownMembersSetting,
} from './platform-settings.ts';
export {
  type Configuration,
  configurationSources,
  type ReadConfigurationOptions,
  readConfiguration,
} from './read-configuration.ts';
export { findRedisAddress, redisAddressOf } from './redis/redis-address.ts';
export { type RedisConfig, redisSettings } from './redis/redis-settings.ts';
export { gatewayHostSetting } from './safety/gateway-host-setting.ts';
export { insecureSecret } from './safety/insecure-secret.ts';
export { INSECURITIES, type InsecureSetting } from './safety/insecurities.ts';
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
export { type ConnectionConfig, connectionSettings, datasourceSettings } from './settings/datasource-settings.ts';
export { datasourceOf, datasourceUrlOf, sessionUrlOf } from './settings/datasource-url.ts';
export { type ListenerShape, listenerSettings } from './settings/listener-settings.ts';
export { managementSettings } from './settings/management-settings.ts';
export { passwordSettings } from './settings/password-settings.ts';
export { stepUpSettings } from './settings/step-up-settings.ts';
export { type ProcessSourcesOptions, processSources, type SettingSources } from './sources/sources.ts';
