import { setting } from './declaring/setting.ts';
import { booleanValue, durationMsValue, textValue } from './declaring/values.ts';

/**
 * The database of a service and the log of its slow statements.
 *
 * @param login description of the login, which is another one in each service
 */
export const datasourceSettings = (login: string) => ({
  url: setting('svc.datasource.url', textValue(), `PostgreSQL URL ${login}`, { secret: true }),
  slowQueries: {
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
  },
});
