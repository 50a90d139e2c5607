import * as auth from '@lintel/auth/settings';
import type { SettingsShape } from '@lintel/config';
import * as data from '@lintel/data/settings';
import * as files from '@lintel/files/settings';
import * as gateway from '@lintel/gateway/settings';
import * as reports from '@lintel/reports/settings';

export type ServiceName = 'data' | 'auth' | 'files' | 'reports' | 'gateway';

/** Settings of the five processes, in the order in which they are started. */
export const SHAPES = {
  data: data.processSettings,
  auth: auth.processSettings,
  files: files.processSettings,
  reports: reports.processSettings,
  gateway: gateway.processSettings,
} satisfies Record<ServiceName, SettingsShape>;

/** Settings of the services in one process, which brings its own backends. */
export const STANDALONE_SHAPES = {
  data: data.settings,
  auth: auth.settings,
  files: files.settings,
  reports: reports.settings,
  gateway: gateway.settings,
} satisfies Record<ServiceName, SettingsShape>;

/** Names that keys of maps are matched with. */
export const mapKeys = data.mapKeysOf;
