export { createHttpFileAccess, type FileAccess } from './access/file-access.ts';
export { createFilesService, type FilesPorts, type FilesService } from './app.ts';
export { type FilesConfig, settings } from './config.ts';
export { openFileStorages } from './storage/settings/open-file-storages.ts';
