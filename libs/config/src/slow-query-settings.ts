import { defineSettings } from './declaring/define-settings.ts';
import { setting } from './declaring/setting.ts';
import { booleanValue, durationMsValue } from './declaring/values.ts';

/** Settings for the log of slow statements of services that use PostgreSQL. */
export const slowQuerySettings = defineSettings({
  thresholdMs: setting(
    'svc.datasource.slow-query-threshold',
    durationMsValue().default(1_000),
    'Statements that take longer are logged, without their values; `0s` logs none',
  ),
  plan: setting(
    'svc.datasource.slow-query-plan',
    booleanValue().default(false),
    'Whether the plan of a slow statement is asked for and logged, without values; for a while, to find out why',
  ),
  planIntervalMs: setting(
    'svc.datasource.slow-query-plan-interval',
    durationMsValue().default(600_000),
    'At most one plan of a statement in this time',
  ),
});
