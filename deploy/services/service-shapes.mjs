import { settings as authSettings } from '@lintel/auth/settings';
import { backendSettings, defineSettings } from '@lintel/config';
import { settings as dataSettings } from '@lintel/data/settings';
import { settings as filesSettings } from '@lintel/files/settings';
import { settings as gatewaySettings } from '@lintel/gateway/settings';
import { settings as reportsSettings } from '@lintel/reports/settings';

/** Settings of the five processes, in the order in which they are started. */
export const SHAPES = {
  data: defineSettings({ ...dataSettings, backends: backendSettings }),
  auth: defineSettings({ ...authSettings, backends: backendSettings }),
  files: defineSettings({ ...filesSettings, backends: backendSettings }),
  reports: defineSettings({ ...reportsSettings, backends: backendSettings }),
  gateway: defineSettings({ ...gatewaySettings, brokerUrls: backendSettings.brokerUrls }),
};

/** Settings of the services in one process, which brings its own backends. */
export const STANDALONE_SHAPES = {
  data: dataSettings,
  auth: authSettings,
  files: filesSettings,
  reports: reportsSettings,
  gateway: gatewaySettings,
};

/** Names that keys of maps are matched with. */
export const mapKeys = ({ model }) => ({ 'svc.rest.entity-max-fetch-size': [...model.entities.keys()] });
