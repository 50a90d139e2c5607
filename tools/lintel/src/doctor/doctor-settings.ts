import { settings as auth } from '@lintel/auth/settings';
import {
  connectionSettings,
  defineSettings,
  listValue,
  postgresUrlValue,
  redisSettings,
  type SettingsOf,
  setting,
} from '@lintel/config';
import { settings as data } from '@lintel/data/settings';
import { settings as files } from '@lintel/files/settings';
import { settings as gateway } from '@lintel/gateway/settings';
import { settings as reports } from '@lintel/reports/settings';

const SERVICES = { gateway, auth, data, files, reports };

/** What the checks need to know; nothing of it is required, because what is missing is a finding. */
export const doctorSettings = defineSettings({
  databaseUrl: setting('svc.datasource.url', postgresUrlValue().optional(), 'PostgreSQL URL', { secret: true }),
  datasource: connectionSettings,
  reportUrl: data.database.reportUrl,
  reportPasswordFile: data.database.reportPasswordFile,
  redis: redisSettings('optional'),
  brokerUrls: setting('svc.broker.urls', listValue().default([]), 'RabbitMQ nodes', { secret: true }),
  storages: files.storages,
  defaultStorage: files.defaultStorage,
  maxFileSizeBytes: files.maxFileSizeBytes,
  gateway: { host: gateway.host, port: gateway.port },
  auth: { host: auth.host, port: auth.port, internalHost: auth.internalHost, internalPort: auth.internalPort },
  data: { host: data.host, port: data.port, internalHost: data.internalHost, internalPort: data.internalPort },
  files: { host: files.host, port: files.port, internalHost: files.internalHost, internalPort: files.internalPort },
  reports: { host: reports.host, port: reports.port },
  management: {
    gateway: gateway.management,
    auth: auth.management,
    data: data.management,
    files: files.management,
    reports: reports.management,
  },
});
export type DoctorConfig = SettingsOf<typeof doctorSettings>;

/** A listener of a service. */
export interface Listener {
  /** `data`, `data internal`, `data management` */
  readonly name: string;
  /** The variable that sets its port. */
  readonly variable: string;
  readonly host: string;
  readonly port: number;
}

/** All listeners of the five services; port 0 is always free. */
export function listenersOf(config: DoctorConfig): readonly Listener[] {
  const names = Object.keys(SERVICES) as (keyof typeof SERVICES)[];
  const listeners = names.flatMap((name): readonly Listener[] => {
    const own = config[name];
    const variable = `SVC_${name.toUpperCase()}`;
    return [
      { name, variable: `${variable}_PORT`, host: own.host, port: own.port },
      ...('internalPort' in own
        ? [
            {
              name: `${name} internal`,
              variable: `${variable}_INTERNAL_PORT`,
              host: own.internalHost,
              port: own.internalPort,
            },
          ]
        : []),
      { name: `${name} management`, variable: `${variable}_MANAGEMENT_PORT`, ...config.management[name] },
    ];
  });
  return listeners.filter(({ port }) => port !== 0);
}
