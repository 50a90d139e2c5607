import {
  backendSettings,
  datasourceSettings,
  defineSettings,
  fileAccessSetting,
  integerValue,
  listenerSettings,
  listValue,
  platformSettings,
  restPathSettings,
  type ServiceSafety,
  type SettingsOf,
  safeSettings,
  setting,
  settingMap,
  sizeBytesValue,
  stepUpSettings,
  textValue,
  unknownMembersSetting,
  urlListValue,
} from '@lintel/config';
import { STORAGE_MEMBERS, storageSchema } from './storage/settings/storage-settings.ts';

const MEBIBYTE = 1024 * 1024;

const shape = defineSettings({
  unknownMembers: unknownMembersSetting,
  stepUp: stepUpSettings,
  platform: platformSettings,
  ...listenerSettings('files', { public: 8083, internal: 9083, management: 9183 }),
  database: datasourceSettings('of a login in the role `lintel_sec_reader`, which reads the roles of the database'),
  restPaths: restPathSettings,
  fileAccess: fileAccessSetting,
  dataInternalUrls: setting(
    'svc.data.internal-url',
    urlListValue().default(['http://127.0.0.1:9082']),
    'Internal listeners of the replicas of the data service',
  ),
  maxFileSizeBytes: setting(
    'svc.rest.max-file-size',
    sizeBytesValue().default(100 * MEBIBYTE),
    'Greatest file that can be uploaded',
  ),
  maxUploadsPerUser: setting(
    'svc.files.max-uploads-per-user',
    integerValue({ min: 1 }).default(20),
    'Concurrent uploads of one user in one process; more return 429',
  ),
  /** Time in which a resumable upload must be complete, then its bytes are removed: a user returns to it on the next day at the latest. */
  uploadExpiryMs: 86_400_000,
  maxDownloadsPerUser: setting(
    'svc.files.max-downloads-per-user',
    integerValue({ min: 1 }).default(50),
    'Concurrent downloads of one user in one process; more return 429',
  ),
  /** Bytes a second, on average over a minute, below which a client that sends or reads a file loses its connection; slower than any network in use. */
  minTransferRate: 1024,
  inlineExtensions: setting(
    'svc.rest.inline-enabled-file-extensions',
    listValue().default(['jpg', 'png', 'jpeg', 'pdf']),
    'Extensions of files that a browser may show; all others are attachments',
  ),
  defaultStorage: setting(
    'svc.core.default-file-storage',
    textValue().optional(),
    'Storage of files that name none; needed where there are several',
  ),
  storages: settingMap('svc.files.storage', storageSchema, 'File storages by name', {
    secretMembers: ['access-key', 'secret-key'],
    memberDescriptions: STORAGE_MEMBERS,
  }),
});

export type FilesConfig = SettingsOf<typeof shape>;

/** Settings that are insecure where other machines can reach the service. */
export const safetyOf = ({ gatewayHost, host, internalHost }: FilesConfig): ServiceSafety => ({
  hosts: [gatewayHost, host, internalHost],
  insecure: [],
});

/** The settings of the files service. */
export const settings = safeSettings(shape, safetyOf);

/** With those of the backends that the service needs as a process of its own. */
export const processSettings = defineSettings({ ...settings, backends: backendSettings });
